import { formatNumber } from '../../formats.ts';
import { isUnlimited } from '../plan/plan-limits.ts';
import classes from './usage-bar.module.css';

interface UsageBarProps {
  readonly label: string;
  readonly used: number;
  /** `null`, or as much as a number holds, is no limit. */
  readonly limit: number | null;
  readonly format?: (value: number) => string;
}

/** From this share on a bar warns. */
const nearlyFull = 0.8;

/** How much of what a plan allows is used. */
export function UsageBar({ label, used, limit, format = formatNumber }: UsageBarProps) {
  if (isUnlimited(limit))
    return (
      <div className={classes.usage}>
        <span className={classes.label}>{label}</span>
        <span className={classes.value}>
          <strong>{format(used)}</strong> <span className={classes.of}>no limit</span>
        </span>
      </div>
    );
  const share = limit === 0 ? 1 : Math.min(used / limit, 1);
  return (
    <div className={classes.usage}>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>
        <strong>{format(used)}</strong> <span className={classes.of}>of {format(limit)}</span>
      </span>
      <meter
        className={classes.meter}
        aria-label={label}
        aria-valuetext={`${format(used)} of ${format(limit)}`}
        max={1}
        value={share}
        data-level={share >= 1 ? 'full' : share >= nearlyFull ? 'nearly-full' : undefined}
      />
    </div>
  );
}

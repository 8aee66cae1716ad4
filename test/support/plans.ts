import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  defaultPlans,
  type Plan,
  type PlanCatalogue,
  type PlanPolicy,
} from '../../contracts/plans.ts';

/** The built-in plans, but `self_hosted` has these limits. */
export function plansWith(limits: Partial<PlanPolicy>): PlanCatalogue {
  const plan = defaultPlans.self_hosted as Plan;
  return { ...defaultPlans, self_hosted: { ...plan, policy: { ...plan.policy, ...limits } } };
}

/** Writes a file for `PLANS_FILE`. Disposing of the result removes it. */
export function writePlansFile(plans: PlanCatalogue): Disposable & { readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'plans-'));
  const path = join(folder, 'plans.json');
  writeFileSync(path, JSON.stringify(plans));
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

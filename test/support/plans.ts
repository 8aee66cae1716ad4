import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  defaultPlans,
  type Plan,
  type PlanCatalogue,
  type PlanPolicy,
} from '../../contracts/plans.ts';

/** The built-in plans, `self_hosted` with other limits. */
export function plansWith(limits: Partial<PlanPolicy>): PlanCatalogue {
  const plan = defaultPlans.self_hosted as Plan;
  return { ...defaultPlans, self_hosted: { ...plan, policy: { ...plan.policy, ...limits } } };
}

/** Such plans as a file for `PLANS_FILE`, which is removed with the result. */
export function writePlansFile(plans: PlanCatalogue): Disposable & { readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'plans-'));
  const path = join(folder, 'plans.json');
  writeFileSync(path, JSON.stringify(plans));
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

import { expect } from 'chai';
import { defaultPlans, planCatalogueSchema } from '../../contracts/plans.ts';

describe('plans', () => {
  it('that are built in are valid', () => {
    expect(planCatalogueSchema.parse(defaultPlans)).to.deep.equal(defaultPlans);
  });

  it('have limits that are never lower in a higher plan', () => {
    const { blank, pro, self_hosted: selfHosted } = defaultPlans;
    for (const [lower, higher] of [
      [blank, pro],
      [pro, selfHosted],
    ])
      for (const [limit, value] of Object.entries(lower?.policy ?? {})) {
        const above = Object.entries(higher?.policy ?? {}).find(([name]) => name === limit)?.[1];
        if (above !== null) expect(Number(above), limit).to.be.at.least(Number(value));
      }
  });

  const broken: [string, object][] = [
    ['a limit is missing', { policy: {} }],
    ['a limit is negative', { policy: { ...defaultPlans.pro?.policy, maxRenderTimeoutMs: -1 } }],
    [
      'a limit that must be a number is null',
      {
        policy: { ...defaultPlans.pro?.policy, maxConcurrentRenderJobs: null },
      },
    ],
    ['it has an unknown field', { colour: 'blue' }],
  ];
  for (const [what, change] of broken)
    it(`are invalid when ${what}`, () => {
      const plans = { pro: { ...defaultPlans.pro, ...change } };
      expect(planCatalogueSchema.safeParse(plans).success).to.equal(false);
    });
});

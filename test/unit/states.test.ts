import { expect } from 'chai';
import {
  isTerminal,
  type RenderJobStatus,
  renderJobStatusSchema,
  renderJobTransitions,
  terminalRenderJobStatuses,
  uploadSessionTransitions,
} from '../../contracts/states.ts';

const transitions = Object.entries<{ from: readonly RenderJobStatus[]; to: RenderJobStatus }>(
  renderJobTransitions,
);

describe('the table of states', () => {
  it('has no transition from a terminal state', () => {
    for (const [name, { from }] of transitions)
      expect(from, name).not.to.include.oneOf([...terminalRenderJobStatuses]);
    for (const status of renderJobStatusSchema.options)
      expect(isTerminal(status)).to.equal(
        !transitions.some(([, { from }]) => from.includes(status)),
      );
  });

  it('reaches every state from queued', () => {
    const reached = new Set<RenderJobStatus>(['queued']);
    for (const status of reached)
      for (const [, { from, to }] of transitions) if (from.includes(status)) reached.add(to);
    expect([...reached]).to.have.members(renderJobStatusSchema.options);
  });

  it('lets the API cancel only waiting jobs (REST 4.3)', () => {
    expect(renderJobTransitions.cancel.from).to.have.members(['queued', 'retry_scheduled']);
  });

  it('sends a retry through the queue (REST 3)', () => {
    expect(renderJobTransitions.requeue).to.deep.equal({ from: ['retry_scheduled'], to: 'queued' });
    expect(renderJobTransitions.claim.from).not.to.include('retry_scheduled');
  });

  it('has no transition from a committed or expired session', () => {
    for (const { from } of Object.values(uploadSessionTransitions))
      expect(from).not.to.include.oneOf(['committed', 'expired']);
  });
});

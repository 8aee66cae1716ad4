import { expect } from 'chai';
import { createCursors } from '../../store/database/cursors.ts';
import { getAvailableOutput } from '../../store/jobs/outputs.ts';
import { getRenderJobAnswer, listRenderJobs } from '../../store/jobs/render-job-answers.ts';
import { codeOf, createDocument, createJobIn, succeed, useDatabase } from './store-fixture.ts';

const rounds = 40;
const readers = 8;

describe('answers about a job that is being settled', () => {
  const database = useDatabase();

  it(`show the success and the output together or neither, ${rounds} times`, async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const { workspace, deployId } = document;
    const cursors = createCursors(['secret']);
    for (let round = 0; round < rounds; round++) {
      const job = await createJobIn(sql, document, 'rendering', {
        body: { outputMode: 'managed' },
      });
      const settled = succeed(sql, job);
      for (let reader = 0; reader < readers; reader++) {
        const [answer, { items }, link] = await Promise.all([
          getRenderJobAnswer(sql, workspace.id, job.jobId),
          listRenderJobs(sql, cursors, { deployId, limit: 1 }),
          getAvailableOutput(sql, workspace.id, job.jobId).then(
            () => 'available',
            (error) => codeOf(Promise.reject(error)),
          ),
        ]);
        const succeeded = answer.job.status === 'succeeded';
        expect(answer.output !== undefined).to.equal(succeeded);
        expect(answer.pdf !== undefined).to.equal(succeeded);
        expect(answer.attemptUsage !== undefined).to.equal(succeeded);
        expect(items[0]?.output !== undefined).to.equal(items[0]?.job.status === 'succeeded');
        expect(link).to.be.oneOf(['available', 'output_not_available']);
      }
      await settled;
    }
  });
});

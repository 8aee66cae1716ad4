import { expect } from 'chai';
import { newId } from '../../contracts/ids.ts';
import { currentPrintGeneration } from '../../contracts/processes/print-settings.ts';
import type { CommitBody } from '../../contracts/rest/schemas/commits.ts';
import type { Sql } from '../../store/database/connection.ts';
import { getReadyVersion } from '../../store/deploys/deploy-versions.ts';
import {
  accept,
  beginTestCommit,
  claim,
  commitBodyOf,
  createDocument,
  createFile,
  createTestSession,
  publish,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

describe('the print options of a version', () => {
  const database = useDatabase();
  let document: TestDocument;
  before(async () => {
    document = await createDocument(database().sql);
  });

  const commit = async (sql: Sql, render: Partial<CommitBody['render']>): Promise<string> => {
    const files = [createFile()];
    const session = await createTestSession(sql, document, files);
    const body = commitBodyOf(files);
    const commitBody = { ...body, render: { ...body.render, ...render } };
    await beginTestCommit(sql, document.workspace, session, commitBody);
    return publish(sql, session);
  };

  const claimOf = async (sql: Sql, deployVersionId: string) => {
    const { job } = await accept(sql, document, { body: { deployVersionId } });
    return claim(sql, job.id);
  };

  it('are in the claim as they were committed, with the generation of that time', async () => {
    const { sql } = database();
    const print = { format: 'A5', margin: { top: '1cm' } } as const;
    const claimed = await claimOf(sql, await commit(sql, { print }));
    expect(claimed).to.deep.include({
      print,
      printGeneration: currentPrintGeneration,
      warnings: [],
    });
    const plain = await claimOf(sql, await commit(sql, {}));
    expect(plain).to.deep.include({ print: {}, printGeneration: currentPrintGeneration });
  });

  it('keep their generation when the current generation changes', async () => {
    const { sql } = database();
    const id = await commit(sql, { print: { format: 'A5' } });
    await sql`update deploy_versions set print_generation = 7 where id = ${id}`;
    expect(await claimOf(sql, id)).to.include({ printGeneration: 7 });
  });

  it('are metadata.pdf of the first generation if an earlier release committed the version', async () => {
    const { sql } = database();
    const id = newId('deployVersion');
    const pdf = { format: 'A5', landscape: false, margin: {} };
    await sql`
      insert into deploy_versions (id, workspace_id, deploy_id, version_no, tree_hash, render_index_key, render_pack_key, route,
        title, metadata, file_count, bytes, created_at)
      select ${id}, workspace_id, deploy_id, 1000, tree_hash, render_index_key, render_pack_key, route, title,
        ${sql.json({ pdf, team: 'billing' })}, file_count, bytes, created_at
      from deploy_versions where id = ${document.deployVersionId}`;
    expect(await claimOf(sql, id)).to.deep.include({
      print: pdf,
      printGeneration: 1,
      warnings: [],
    });
    const version = await getReadyVersion(sql, document.deployId, id);
    expect(version.print).to.deep.equal(pdf);
    expect(version).not.to.have.property('warnings');
  });

  it('have the current generation for a url deploy, which has no versions', async () => {
    const { sql } = database();
    const deployId = newId('deploy');
    const { workspace } = document;
    await sql`
      insert into deploys (id, workspace_id, slug, name, type, target_url, created_at)
      values (${deployId}, ${workspace.id}, ${deployId}, 'Hosted', 'url', 'https://example.com/', 0)`;
    const { job } = await accept(sql, { workspace, deployId });
    expect(await claim(sql, job.id)).to.deep.include({
      print: {},
      printGeneration: currentPrintGeneration,
      warnings: [],
    });
  });
});

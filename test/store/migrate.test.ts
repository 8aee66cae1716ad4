import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { openDatabase } from '../../store/database/connection.ts';
import { migrate } from '../../store/database/migrate.ts';
import { createDocument, createJobIn, noon, pdfOf, useDatabase } from './store-fixture.ts';

const processes = 10;

describe('migrations', () => {
  const database = useDatabase();

  it(`are applied once when ${processes} processes start at once on an empty database`, async () => {
    const { sql, url } = database();
    await sql`drop schema public cascade`;
    await sql`create schema public`;
    const pools = Array.from({ length: processes }, () => openDatabase(url, 1));
    try {
      await Promise.all(pools.map(migrate));
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
    const applied = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
    const files = await readdir(new URL('../../store/database/migrations/', import.meta.url));
    expect(applied.map(({ name }) => name)).to.deep.equal(files.sort());
  });

  it('change nothing in an up-to-date database', async () => {
    const { sql } = database();
    const before = await sql`select * from schema_migrations`;
    await migrate(sql);
    expect(await sql`select * from schema_migrations`).to.deep.equal(before);
  });

  it('free the storage of deleted PDFs, and keep how long jobs waited', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const workspaceId = document.workspace.id;
    const managed = { body: { outputMode: 'managed' as const } };
    const kept = await createJobIn(sql, document, 'succeeded', managed);
    const deleted = await createJobIn(sql, document, 'succeeded', managed);
    const canceled = await createJobIn(sql, document, 'canceled');
    // Restores the state of the earlier release, in which the output of a deleted PDF had its blob and its bytes.
    const { bytes, blobKey } = pdfOf(deleted.jobId);
    await sql`update pdfs set state = 'deleted', deleted_at = ${noon} where job_id = ${deleted.jobId}`;
    await sql`
      update storage_usage set managed_pdf_bytes = ${bytes}, render_output_bytes = ${bytes}
      where workspace_id = ${workspaceId}`;
    await sql`update render_attempts set queued_at = claimed_at - 70 where job_id = ${deleted.jobId}`;
    await sql`update render_jobs set finished_at = requested_at + 90 where id = ${canceled.jobId}`;
    await sql`alter table render_jobs drop column queue_wait_ms`;
    await sql`alter table upload_sessions drop column lifetime_ms`;
    await sql`drop index upload_sessions_unended`;
    await sql`delete from schema_migrations where name like '0012%'`;
    await migrate(sql);
    const outputs = await sql`
      select job_id, state, delete_reason from render_outputs where workspace_id = ${workspaceId} order by job_id`;
    expect([...outputs]).to.deep.equal([
      { jobId: kept.jobId, state: 'available', deleteReason: null },
      { jobId: deleted.jobId, state: 'deleted', deleteReason: 'manual' },
    ]);
    const scheduled =
      await sql`select blob_key from blob_deletions where blob_key like '%.pdf' and due_at <= ${noon}`;
    expect([...scheduled]).to.deep.equal([{ blobKey }]);
    const [storage] = await sql`
      select managed_pdf_bytes, render_output_bytes from storage_usage where workspace_id = ${workspaceId}`;
    expect(storage).to.deep.equal({ managedPdfBytes: bytes, renderOutputBytes: 0 });
    const waits =
      await sql`select id, queue_wait_ms from render_jobs where workspace_id = ${workspaceId} order by id`;
    expect(waits.map(({ queueWaitMs }) => queueWaitMs)).to.deep.equal([0, 70, 90]);
  });
});

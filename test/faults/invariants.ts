import { createHash } from 'node:crypto';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import { terminalRenderJobStatuses } from '../../contracts/states.ts';
import type { Sql } from '../../store/database/connection.ts';
import { poll } from '../support/poll.ts';
import type { Service, ServiceProcess } from '../support/service.ts';
import { fetchHistory, historyBytes } from '../workflows/histories.ts';

/** What must hold after every fault, once the service has settled. */

export interface Settled {
  readonly service: Service;
  /** Every process that wrote a log, whether it still runs or not. */
  readonly processes: readonly ServiceProcess[];
  /** Jobs that were answered 202. */
  readonly accepted: readonly string[];
  /** Part of every payload. */
  readonly secret: string;
}

/** Checks all of them that can be seen while the service runs; what it leaves behind is asked when it has ended (`leftoversOf`). */
export async function expectInvariants(settled: Settled): Promise<void> {
  const { env, database } = settled.service;
  const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS ?? '' });
  const temporal = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE ?? '' });
  const container = BlobServiceClient.fromConnectionString(
    env.AZURE_STORAGE_CONNECTION_STRING ?? '',
  ).getContainerClient(env.BLOB_CONTAINER ?? '');
  try {
    await expectOneEnd(settled, temporal);
    await expectOneOutput(database.sql, container);
    await expectCountersRight(database.sql);
    await expectPayloadNowhere(settled, temporal, container);
  } finally {
    await connection.close();
  }
}

const workflowEnds = { succeeded: 'COMPLETED', failed: 'FAILED', canceled: 'CANCELLED' } as const;

/** Each job that was answered 202 reaches exactly one terminal state, which its one workflow mirrors. */
async function expectOneEnd({ service, accepted }: Settled, temporal: Client): Promise<void> {
  const rows = await service.database.sql<{ id: string; status: keyof typeof workflowEnds }[]>`
    select id, status from render_jobs order by id`;
  expect(rows.map(({ id }) => id)).to.eql([...accepted].sort());
  expect(terminalRenderJobStatuses).to.include.members(rows.map(({ status }) => status));
  for (const { id, status } of rows)
    await poll(`the one end of ${id}`, async () => {
      const ends: string[] = [];
      const query = `WorkflowId = '${workflowIds.renderJob(id)}'`;
      for await (const run of temporal.workflow.list({ query })) ends.push(run.status.name);
      return (ends.length === 1 && ends[0] === workflowEnds[status]) || undefined;
    });
  const successes = await service.database.sql`
    select j.id from render_jobs j left join render_attempts a on a.job_id = j.id and a.outcome = 'succeeded'
    group by j.id having count(a.*) <> (j.status = 'succeeded')::int`;
  expect(successes, 'jobs whose successes are not one').to.have.lengthOf(0);
}

/** A job that succeeded has one output, its blob is whole, and no other job has one. */
async function expectOneOutput(sql: Sql, container: ContainerClient): Promise<void> {
  const wrong = await sql`
    select j.id from render_jobs j left join render_outputs o on o.job_id = j.id and o.state = 'available'
    group by j.id having count(o.*) <> (j.status = 'succeeded')::int`;
  expect(wrong, 'jobs whose outputs are not one').to.have.lengthOf(0);
  const outputs = await sql<{ blobKey: string; bytes: number; sha256: string }[]>`
    select blob_key, bytes, sha256 from render_outputs where state = 'available'`;
  for (const { blobKey, bytes, sha256 } of outputs) {
    const blob = await container.getBlobClient(blobKey).downloadToBuffer();
    expect(blob.length).to.equal(bytes);
    expect(createHash('sha256').update(blob).digest('hex')).to.equal(sha256);
    expect(blob.toString('latin1').trimEnd().endsWith('%%EOF')).to.equal(true);
  }
}

/** Nobody holds a place under a ceiling any more, and nothing is owed to Temporal. */
async function expectCountersRight(sql: Sql): Promise<void> {
  expect(await sql`select id from workspaces where admitted_jobs <> 0`).to.have.lengthOf(0);
  await poll('the outbox to be empty', async () => {
    const owed = await sql`select 1 from outbox limit 1`;
    return owed.length === 0 || undefined;
  });
}

/** No payload of a job that has ended is in any table, blob, history or log. */
async function expectPayloadNowhere(
  { service, processes, secret }: Settled,
  temporal: Client,
  container: ContainerClient,
): Promise<void> {
  expect(await tablesWith(service.database.sql, secret)).to.eql([]);
  for await (const { name } of container.listBlobsFlat()) {
    const blob = await container.getBlobClient(name).downloadToBuffer();
    expect(blob.includes(secret), name).to.equal(false);
  }
  for await (const { workflowId } of temporal.workflow.list()) {
    const history = await fetchHistory(temporal, workflowId);
    expect(historyBytes(history).includes(secret), workflowId).to.equal(false);
  }
  const log = JSON.stringify(processes.map(({ lines }) => lines));
  expect(log.includes(secret), 'a log').to.equal(false);
}

/** Tables in any of whose rows the text is found, as it is or in hexadecimal, as bytes are shown. */
async function tablesWith(sql: Sql, text: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  const forms = [text, Buffer.from(text).toString('hex')].map((form) => `%${form}%`);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql`select 1 from ${sql(name)} t where t::text like any(${forms}) limit 1`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}

import { createHash } from 'node:crypto';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import { terminalRenderJobStatuses } from '../../contracts/states.ts';
import type { Sql } from '../../store/database/connection.ts';
import { poll } from '../support/poll.ts';
import type { Service, ServiceProcess } from '../support/service.ts';
import { connectTemporal } from '../support/temporal-client.ts';
import { fetchHistory, historyBytes } from '../workflows/histories.ts';

/** A service after a fault, when nothing of it is in progress any more. */
export interface RecoveredService {
  readonly service: Service;
  /** All its processes, also those that have ended. */
  readonly processes: readonly ServiceProcess[];
  /** Ids of the jobs that were answered 202. */
  readonly accepted: readonly string[];
  /** A text in every payload. */
  readonly secret: string;
}

/** Checks what must hold after every fault. What the service leaves behind is checked after it has stopped, with `leftoversOf`. */
export async function expectInvariants(recovered: RecoveredService): Promise<void> {
  const { env, database } = recovered.service;
  await using temporal = await connectTemporal(env);
  const container = BlobServiceClient.fromConnectionString(
    env.AZURE_STORAGE_CONNECTION_STRING ?? '',
  ).getContainerClient(env.BLOB_CONTAINER ?? '');
  await expectOneEnd(recovered, temporal.client);
  await expectOneOutput(database.sql, container);
  await expectNothingPending(database.sql);
  await expectPayloadNowhere(recovered, temporal.client, container);
}

const workflowStatuses = {
  succeeded: 'COMPLETED',
  failed: 'FAILED',
  canceled: 'CANCELLED',
} as const;

/** Each job that was answered 202 has exactly one terminal status, and one workflow that has closed in the same way. */
async function expectOneEnd(
  { service, accepted }: RecoveredService,
  temporal: Client,
): Promise<void> {
  const rows = await service.database.sql<{ id: string; status: keyof typeof workflowStatuses }[]>`
    select id, status from render_jobs order by id`;
  expect(rows.map(({ id }) => id)).to.eql([...accepted].sort());
  expect(terminalRenderJobStatuses).to.include.members(rows.map(({ status }) => status));
  for (const { id, status } of rows)
    await poll(`the one end of ${id}`, async () => {
      const ends: string[] = [];
      const query = `WorkflowId = '${workflowIds.renderJob(id)}'`;
      for await (const run of temporal.workflow.list({ query })) ends.push(run.status.name);
      return (ends.length === 1 && ends[0] === workflowStatuses[status]) || undefined;
    });
  const successes = await service.database.sql`
    select j.id from render_jobs j left join render_attempts a on a.job_id = j.id and a.outcome = 'succeeded'
    group by j.id having count(a.*) <> (j.status = 'succeeded')::int`;
  expect(successes, 'jobs without exactly one successful attempt').to.have.lengthOf(0);
}

/** Each job that succeeded has one output with a complete blob. No other job has an output. */
async function expectOneOutput(sql: Sql, container: ContainerClient): Promise<void> {
  const wrong = await sql`
    select j.id from render_jobs j left join render_outputs o on o.job_id = j.id and o.state = 'available'
    group by j.id having count(o.*) <> (j.status = 'succeeded')::int`;
  expect(wrong, 'jobs without exactly one output').to.have.lengthOf(0);
  const outputs = await sql<{ blobKey: string; bytes: number; sha256: string }[]>`
    select blob_key, bytes, sha256 from render_outputs where state = 'available'`;
  for (const { blobKey, bytes, sha256 } of outputs) {
    const blob = await container.getBlobClient(blobKey).downloadToBuffer();
    expect(blob.length).to.equal(bytes);
    expect(createHash('sha256').update(blob).digest('hex')).to.equal(sha256);
    expect(blob.toString('latin1').trimEnd().endsWith('%%EOF')).to.equal(true);
  }
}

/** No job counts as admitted, and no call to Temporal is pending. */
async function expectNothingPending(sql: Sql): Promise<void> {
  expect(await sql`select id from workspaces where admitted_jobs <> 0`).to.have.lengthOf(0);
  await poll('the outbox to be empty', async () => {
    const pending = await sql`select 1 from outbox limit 1`;
    return pending.length === 0;
  });
}

/** No table, blob, history or log has the payload of an ended job. */
async function expectPayloadNowhere(
  { service, processes, secret }: RecoveredService,
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

/** The tables that have a row with the text, as it is or in hexadecimal, which is how PostgreSQL shows bytes. */
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

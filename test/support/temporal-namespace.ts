import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { readTemporalConfiguration } from '../../dev/servers/temporal.ts';
import { requireEnv } from './environment.ts';
import { poll } from './poll.ts';

const { IndexedValueType } = proto.temporal.api.enums.v1;

const indexedValueTypes = {
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  Int: IndexedValueType.INDEXED_VALUE_TYPE_INT,
} as const;

const retentionSeconds = 24 * 3_600;

/** A namespace of its own for a suite, so that its workers get no other suite's work; with the search attributes of ours. */
export async function createNamespace(): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address: requireEnv('TEMPORAL_ADDRESS') });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: retentionSeconds as never },
    });
    const attributes = Object.entries(readTemporalConfiguration().searchAttributes).map(
      ([name, type]) => [name, indexedValueTypes[type as keyof typeof indexedValueTypes]],
    );
    const searchAttributes = Object.fromEntries(attributes);
    await poll(`namespace ${namespace}`, async () => {
      // The server learns of a namespace a moment after it is registered.
      await connection.operatorService
        .addSearchAttributes({ namespace, searchAttributes })
        .catch(() => {});
      const { customAttributes } = await connection.operatorService.listSearchAttributes({
        namespace,
      });
      return attributes.every(([name]) => String(name) in (customAttributes ?? {}));
    });
    return namespace;
  } finally {
    await connection.close();
  }
}

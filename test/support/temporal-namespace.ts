import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { readTemporalConfiguration } from '../../dev/servers/temporal.ts';
import { poll } from './poll.ts';
import { connectTemporal } from './temporal-client.ts';

const { IndexedValueType } = proto.temporal.api.enums.v1;

const indexedValueTypes = {
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  Int: IndexedValueType.INDEXED_VALUE_TYPE_INT,
} as const;

const retentionSeconds = 24 * 3_600;

/** Creates a namespace with our search attributes, so that the workers of a suite get no work of another suite. */
export async function createNamespace(): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  await using temporal = await connectTemporal();
  const { workflowService, operatorService } = temporal.connection;
  await workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: retentionSeconds as never },
  });
  const attributes = Object.entries(readTemporalConfiguration().searchAttributes).map(
    ([name, type]) => [name, indexedValueTypes[type as keyof typeof indexedValueTypes]],
  );
  const searchAttributes = Object.fromEntries(attributes);
  await poll(`namespace ${namespace}`, async () => {
    // The server knows a namespace only a moment after it was registered.
    await operatorService.addSearchAttributes({ namespace, searchAttributes }).catch(() => {});
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    return attributes.every(([name]) => String(name) in (customAttributes ?? {}));
  });
  return namespace;
}

import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { History } = proto.temporal.api.history.v1;

export type History = proto.temporal.api.history.v1.IHistory;

export const fetchHistory = (temporal: Client, workflowId: string): Promise<History> =>
  temporal.workflow.getHandle(workflowId).fetchHistory();

/** Everything that a history keeps, as bytes: what its payloads hold is in them as it is. */
export const historyBytes = (history: History): Buffer =>
  Buffer.from(History.encode(History.fromObject(history)).finish());

/** The activities that a workflow scheduled, by name. */
export const scheduledActivities = ({ events }: History): string[] =>
  (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
  );

/** Names of the machine, which no replay reads. */
const machineFields = new Set(['identity', 'stackTrace', 'binaryChecksum']);

/**
 * A history as JSON for a file. By protobufjs itself: the SDK's `historyToJSON` fails where npm installs a second version of
 * protobufjs beside the SDK's ("type must be a Type").
 */
export const toJson = (history: History): string =>
  JSON.stringify(
    History.toObject(History.fromObject(history), { enums: String, longs: String, bytes: String }),
    (key, value: unknown) => (machineFields.has(key) ? undefined : value),
    1,
  );

export const fromJson = (json: string): History => History.fromObject(JSON.parse(json));

import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { History } = proto.temporal.api.history.v1;

export type History = proto.temporal.api.history.v1.IHistory;

export const fetchHistory = (temporal: Client, workflowId: string): Promise<History> =>
  temporal.workflow.getHandle(workflowId).fetchHistory();

/** The whole history as bytes. Texts of its payloads are unchanged in these bytes, so a test can search for them. */
export const historyBytes = (history: History): Buffer =>
  Buffer.from(History.encode(History.fromObject(history)).finish());

/** The names of the activities that a workflow scheduled. */
export const scheduledActivities = ({ events }: History): string[] =>
  (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
  );

/** Fields that name the machine. Replays do not read them. */
const machineFields = new Set(['identity', 'stackTrace', 'binaryChecksum']);

/**
 * Formats a history as JSON for a file. It uses protobufjs directly, because the SDK's `historyToJSON` fails with "type must be a
 * Type" when npm has installed a second version of protobufjs.
 */
export const toJson = (history: History): string =>
  JSON.stringify(
    History.toObject(History.fromObject(history), { enums: String, longs: String, bytes: String }),
    (key, value: unknown) => (machineFields.has(key) ? undefined : value),
    1,
  );

export const fromJson = (json: string): History => History.fromObject(JSON.parse(json));

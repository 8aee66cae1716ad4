import { z } from 'zod';
import { mime } from '../../fields.ts';

const jsonMime = 'application/json; charset=utf-8';
/** True for the MIME types of JSON: `application/json` and any `+json`. */
export const isJsonMime = (value: string): boolean => /^[^;]*(\/|\+)json\s*(;|$)/i.test(value);

/** The payload of a job: JSON, text, or bytes. */
export const payloadFields = {
  payload: z
    .unknown()
    .optional()
    .meta({ description: 'Any JSON, or a string if `payloadMime` is not JSON.' }),
  payloadMime: mime.default(jsonMime).meta({ description: 'Content-Type that the page gets.' }),
  payloadBase64: z.base64().optional().meta({
    description: 'The raw bytes of a payload that is not JSON, instead of `payload`.',
  }),
};

/** The rules of `isJsonMime` and `checkPayload` as JSON Schema. */
const jsonMimePattern = '^[^;]*(/|\\+)[jJ][sS][oO][nN]\\s*(;|$)';
const notJson = {
  required: ['payloadMime'],
  properties: { payloadMime: { not: { pattern: jsonMimePattern } } },
};
export const payloadRules = {
  if: { required: ['payloadBase64'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { ...notJson, not: { required: ['payload'] } },
  else: {
    if: notJson,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['payload'], properties: { payload: { type: 'string' as const } } },
  },
};

interface PayloadInput {
  readonly payload?: unknown;
  readonly payloadMime: string;
  readonly payloadBase64?: string | undefined;
}

/** Checks that a payload has one form and that its MIME type fits this form. */
export const checkPayload = (body: PayloadInput, context: z.RefinementCtx): void => {
  const fail = (path: keyof PayloadInput, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const json = isJsonMime(body.payloadMime);
  if (body.payloadBase64 !== undefined && body.payload !== undefined)
    fail('payloadBase64', 'send payload or payloadBase64, not both');
  else if (body.payloadBase64 !== undefined && json)
    fail('payloadMime', 'bytes in payloadBase64 need a payloadMime that is not JSON');
  else if (body.payloadBase64 === undefined && !json && typeof body.payload !== 'string')
    fail('payload', 'a payload that is not JSON is a string in payload or bytes in payloadBase64');
  else if (!json && typeof body.payload === 'string' && !body.payload.isWellFormed())
    fail('payload', 'a text is UTF-8, which has no lone surrogates: send bytes in payloadBase64');
};

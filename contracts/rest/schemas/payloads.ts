import { z } from 'zod';
import { mime } from '../../fields.ts';

const jsonMime = 'application/json; charset=utf-8';
/** JSON by its MIME type: `application/json` or any `+json`. */
export const isJsonMime = (value: string): boolean => /^[^;]*(\/|\+)json\s*(;|$)/i.test(value);

/** The payload of a job: JSON, text, or bytes. */
export const payloadFields = {
  payload: z
    .unknown()
    .optional()
    .meta({ description: 'Any JSON, or a string where payloadMime is not JSON.' }),
  payloadMime: mime.default(jsonMime).meta({ description: 'What the page gets as Content-Type.' }),
  payloadBase64: z.base64().optional().meta({
    description: 'The raw bytes of a payload that is not JSON, instead of `payload`.',
  }),
};

/** `isJsonMime` and `checkPayload` as JSON Schema. */
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

interface GivenPayload {
  readonly payload?: unknown;
  readonly payloadMime: string;
  readonly payloadBase64?: string | undefined;
}

/** A payload comes in one form, and its MIME type says which. */
export const checkPayload = (body: GivenPayload, context: z.RefinementCtx): void => {
  const fail = (path: keyof GivenPayload, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const json = isJsonMime(body.payloadMime);
  if (body.payloadBase64 !== undefined && body.payload !== undefined)
    fail('payloadBase64', 'give payload or payloadBase64, not both');
  else if (body.payloadBase64 !== undefined && json)
    fail('payloadMime', 'bytes in payloadBase64 need a payloadMime that is not JSON');
  else if (body.payloadBase64 === undefined && !json && typeof body.payload !== 'string')
    fail('payload', 'a payload that is not JSON is a string in payload or bytes in payloadBase64');
  else if (!json && typeof body.payload === 'string' && !body.payload.isWellFormed())
    fail('payload', 'a text is UTF-8, which has no lone surrogates: send bytes in payloadBase64');
};

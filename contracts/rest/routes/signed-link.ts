import { accessAnswer, linkBody, linkQuery } from '../schemas/links.ts';

/** Common part of all routes that create a signed link. The body or the query has its lifetime (REST 4.3, 4.4). */
export const signedLink = {
  method: 'post',
  query: linkQuery,
  body: linkBody,
  bodyOptional: true,
  success: { status: 200, schema: accessAnswer },
} as const;

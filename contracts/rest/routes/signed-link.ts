import { accessAnswer, linkBody, linkQuery } from '../schemas/links.ts';

/** What all routes to a signed link share: its lifetime is given in the body or the query (REST 4.3, 4.4). */
export const signedLink = {
  method: 'post',
  query: linkQuery,
  body: linkBody,
  bodyOptional: true,
  success: { status: 200, schema: accessAnswer },
} as const;

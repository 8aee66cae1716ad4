import { z } from 'zod';

/**
 * The example of a schema: the one in its `meta`, else that of its parts. An optional field is shown when an example is
 * written for it.
 *
 * @throws Error that names the type of a part for which no example is written
 */
export function exampleOf(schema: z.core.$ZodType): unknown {
  const written = writtenExample(schema);
  if (written !== undefined) return written;
  if (!(schema instanceof z.ZodObject))
    throw new Error(`No example is written for a schema of type ${schema._zod.def.type}.`);
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const isLeftOut = field instanceof z.ZodOptional && writtenExample(field) === undefined;
    return isLeftOut ? [] : [[name, exampleOf(field)]];
  });
  return Object.fromEntries(fields);
}

function writtenExample(schema: z.core.$ZodType): unknown {
  const [example] = (z.globalRegistry.get(schema)?.examples as unknown[] | undefined) ?? [];
  if (example !== undefined) return example;
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element)];
  return schema instanceof z.ZodOptional ? writtenExample(schema.def.innerType) : undefined;
}

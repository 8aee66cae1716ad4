import { z } from 'zod';

/**
 * Finds the example of a schema: the one in its `meta`, else one that is put together from its parts. An optional field is left
 * out if it has no example.
 *
 * @throws Error that names the type of a part without an example
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

import { z } from 'zod';
import { permanentLinkListAnswer, permanentLinkSchema } from '../../contracts/rest/schemas/pdfs.ts';
import {
  createPermanentLink,
  deletePermanentLink,
  listPermanentLinks,
} from '../../store/jobs/permanent-links.ts';
import { toPermanentLink } from '../public-pdfs.ts';
import { audited } from './audited.ts';
import { memberProcedure, router } from './procedures.ts';

const pdfInput = z.object({ pdfId: z.string() });

/** Permanent public links to managed PDFs. */
export const permanentLinksRouter = router({
  list: memberProcedure
    .input(pdfInput)
    .output(permanentLinkListAnswer)
    .query(async ({ ctx: { service }, input }) => {
      const { sql, linkTokens } = service.store;
      const stored = await listPermanentLinks(sql, linkTokens, input);
      return { items: stored.map((link) => toPermanentLink(service, link)) };
    }),

  create: memberProcedure
    .input(pdfInput)
    .output(permanentLinkSchema)
    .mutation(async ({ ctx, input: { workspaceId, pdfId } }) => {
      const { service, now } = ctx;
      const link = await audited(
        ctx,
        (tx) => createPermanentLink(tx, service.store.linkTokens, { workspaceId, pdfId, now }),
        ({ id }) => ({ target: id, details: { pdfId } }),
      );
      return toPermanentLink(service, link);
    }),

  delete: memberProcedure
    .input(pdfInput.extend({ linkId: z.string() }))
    .mutation(({ ctx, input }) =>
      audited(ctx, (tx) => deletePermanentLink(tx, { ...input, now: ctx.now }), {
        target: input.linkId,
        details: { pdfId: input.pdfId },
      }),
    ),
});

import { expect } from 'chai';
import { createPermanentLink, listPermanentLinks } from '../../store/jobs/permanent-links.ts';
import { resealSecrets } from '../../store/secrets/resealing.ts';
import {
  createWebhookEndpoint,
  revealWebhookSecret,
  rotateWebhookSecret,
} from '../../store/webhooks/webhook-endpoints.ts';
import {
  createDocument,
  createJobIn,
  noon,
  sealersOf,
  type TestDocument,
  useDatabase,
} from './store-fixture.ts';

const [first, second, third] = ['first', 'second', 'third'].map((key) => key.padEnd(32, '.'));
const limit = 1;

describe('secrets at rest', () => {
  const database = useDatabase();

  it('stay readable after rotations of the secret key, if the clean-up runs between two rotations', async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const workspaceId = document.workspace.id;
    const before = sealersOf(String(first));
    const { endpoint } = await createWebhookEndpoint(sql, before.webhookSecrets, {
      workspaceId,
      url: 'https://example.com/hook',
      egressAllow: [],
      now: noon,
    });
    const key = { workspaceId, endpointId: endpoint.id };
    const rotated = await rotateWebhookSecret(sql, before.webhookSecrets, { ...key, now: noon });
    const pdfId = await createPdf(document);
    const links = await Promise.all(
      [1, 2].map(() =>
        createPermanentLink(sql, before.linkTokens, { workspaceId, pdfId, now: noon }),
      ),
    );

    const during = sealersOf(String(second), String(first));
    // Each run reseals one row of each kind.
    expect(await resealSecrets(sql, during, limit)).to.equal(2);
    expect(await resealSecrets(sql, during, limit)).to.equal(1);
    expect(await resealSecrets(sql, during, limit)).to.equal(0);

    const after = sealersOf(String(third), String(second));
    expect(await revealWebhookSecret(sql, after.webhookSecrets, key)).to.equal(rotated.secret);
    const [row] = await sql<{ oldSecretSealed: Buffer }[]>`
      select old_secret_sealed from webhook_endpoints where id = ${endpoint.id}`;
    expect(after.webhookSecrets.open(row?.oldSecretSealed as Buffer)).to.match(/^whsec_/);
    const listed = await listPermanentLinks(sql, after.linkTokens, { workspaceId, pdfId });
    expect(listed.map(({ token }) => token).sort()).to.deep.equal(
      links.map(({ token }) => token).sort(),
    );
  });

  const createPdf = async (document: TestDocument): Promise<string> => {
    const { sql } = database();
    const { jobId } = await createJobIn(sql, document, 'succeeded', {
      body: { outputMode: 'managed' },
    });
    const [pdf] = await sql<{ id: string }[]>`select id from pdfs where job_id = ${jobId}`;
    return pdf?.id ?? '';
  };
});

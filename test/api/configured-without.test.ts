import { expect } from 'chai';
import { errors } from '../../contracts/errors.ts';
import { type Route, routes } from '../../contracts/routes.ts';
import { sha256Of } from '../support/documents.ts';
import { type Service, startService, type Workspace } from '../support/service.ts';
import { unusedIds } from './rig.ts';

/** What a process answers that was configured without something (REST 7). */
describe('a service configured', function () {
  this.timeout(60_000);

  const withService = (env: NodeJS.ProcessEnv) => {
    let service: Service;
    let workspace: Workspace;
    before(async () => {
      service = await startService({ workers: 0, env });
      workspace = await service.createWorkspace();
    });
    after(() => service[Symbol.asyncDispose]());
    return (path: string, init: RequestInit = {}) =>
      fetch(`${service.baseUrl}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${workspace.apiKey}`, ...init.headers },
      });
  };
  const fill = (path: string): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => unusedIds[name as keyof typeof unusedIds]);

  describe('without a feature', () => {
    const call = withService({ DISABLED_FEATURES: 'upload-sessions,render-jobs' });
    const without = Object.entries<Route>(routes).filter(([, { feature }]) => feature);

    for (const [operation, route] of without)
      it(`answers 501 to ${operation}`, async () => {
        const response = await call(fill(route.path), { method: route.method.toUpperCase() });
        expect(response.status).to.equal(501);
        expect(await response.json()).to.have.property('error', 'not_implemented');
      });

    it('serves what it has', async () => {
      expect((await call('/deploys')).status).to.equal(200);
    });
  });

  describe('without a file storage', () => {
    const call = withService({ AZURE_STORAGE_CONNECTION_STRING: '' });

    it('answers 503 to an upload, and says whose task it is', async () => {
      const sha256 = sha256Of('x');
      const created = await call('/upload-sessions', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          createDeploy: { slug: 'nowhere', name: 'Nowhere' },
          files: [{ path: 'index.html', sha256, size: 1 }],
        }),
      });
      const { uploadSession } = (await created.json()) as {
        uploadSession: { id: string; uploadToken: string };
      };
      const response = await call(`/upload-sessions/${uploadSession.id}/blobs/${sha256}`, {
        method: 'PUT',
        headers: {
          'Content-Type': 'application/octet-stream',
          'X-Upload-Token': uploadSession.uploadToken,
        },
        body: 'x',
      });
      expect(response.status).to.equal(errors.storage_unavailable.status);
      expect((await response.json()) as object).to.have.property('error', 'storage_unavailable');
    });
  });

  describe('behind a trusted proxy', () => {
    const call = withService({ TRUSTED_PROXIES: '127.0.0.1' });

    it('serves what reached the proxy by HTTPS, and nothing else', async () => {
      const by = (scheme: string) => call('/deploys', { headers: { 'X-Forwarded-Proto': scheme } });
      expect((await by('https')).status).to.equal(200);
      const refused = await by('http');
      expect(refused.status).to.equal(403);
      expect(await refused.json()).to.have.property('error', 'forbidden');
      expect((await call('/deploys')).status).to.equal(403);
    });
  });
});

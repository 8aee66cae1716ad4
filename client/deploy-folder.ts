import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { z } from 'zod';
import type { commitBody } from '../contracts/rest/schemas/commits.ts';
import type { DeployVersion } from '../contracts/rest/schemas/versions.ts';
import type { Client } from './client.ts';

const parallelUploads = 8;

type Render = z.input<typeof commitBody>['render'];

export interface FolderDeploy {
  readonly folder: string;
  /** An existing deploy, or the slug and name of a new one. */
  readonly deploy:
    | { readonly deployId: string }
    | { readonly createDeploy: { slug: string; name: string } };
  readonly render: Render;
}

/** Uploads a folder and commits it as a new version (REST 4.2); files that the workspace has are not sent again. */
export async function deployFolder(
  client: Client,
  { folder, deploy, render }: FolderDeploy,
): Promise<DeployVersion> {
  const files = await readFolder(folder);
  const listed = files.map(({ path, sha256, size }) => ({ path, sha256, size }));
  const { uploadSession } = await client.createUploadSession({
    body: { ...deploy, files: listed },
  });
  const session = {
    params: { uploadSessionId: uploadSession.id },
    uploadToken: uploadSession.uploadToken,
  };
  const { missingBlobs } = await client.listMissingBlobs(session);
  const bytesByHash = new Map(files.map(({ sha256, bytes }) => [sha256, bytes]));
  const pending = missingBlobs.map(({ sha256 }) => sha256);
  const upload = async (): Promise<void> => {
    for (let sha256 = pending.pop(); sha256; sha256 = pending.pop())
      await client.uploadBlob({
        ...session,
        params: { ...session.params, sha256 },
        body: bytesByHash.get(sha256) ?? new Uint8Array(),
      });
  };
  await Promise.all(Array.from({ length: parallelUploads }, upload));
  const entries = listed.map(({ path, sha256, size }) => ({ path, blobHash: sha256, size }));
  const { deployVersion } = await client.commitUploadSession({
    ...session,
    body: { entries, render },
  });
  return deployVersion;
}

interface FolderFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

async function readFolder(folder: string): Promise<FolderFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => {
      const bytes = new Uint8Array(await readFile(file));
      const path = relative(folder, file).split(sep).join('/').normalize('NFC');
      return {
        path,
        bytes,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      };
    }),
  );
}

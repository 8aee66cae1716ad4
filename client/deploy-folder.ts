import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { z } from 'zod';
import { maxListLimit } from '../contracts/limits.ts';
import type { commitBody } from '../contracts/rest/schemas/commits.ts';
import type { DeployVersion } from '../contracts/rest/schemas/versions.ts';
import type { Client } from './client.ts';

const parallelUploads = 8;

type Render = z.input<typeof commitBody>['render'];

export interface FolderDeploy {
  readonly folder: string;
  /**
   * Where the version goes: to the deploy with this id, to a new one (an error where the slug is in use), or to the deploy with
   * this slug, which is created if there is none.
   */
  readonly deploy:
    | { readonly deployId: string }
    | { readonly createDeploy: { slug: string; name: string } }
    | { readonly slug: string; readonly name: string };
  /** The page to open, its title, and the print options. */
  readonly render: Render;
}

/**
 * Uploads a folder and commits it as a new version (REST 4.2). Files that the workspace already has are not uploaded again.
 *
 * @throws ApiError for each answer other than success
 */
export async function deployFolder(
  client: Client,
  { folder, deploy, render }: FolderDeploy,
): Promise<DeployVersion> {
  const files = await readFolder(folder);
  const listed = files.map(({ path, sha256, size }) => ({ path, sha256, size }));
  const { uploadSession } = await client.createUploadSession({
    body: { ...(await toUploadTarget(client, deploy)), files: listed },
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

/**
 * The SHA-256 of the paths and contents of a folder's files, in hexadecimal. A caller that keeps it can deploy only what has
 * changed. It is not the `treeHash` of a version.
 */
export async function hashFolder(folder: string): Promise<string> {
  const files = (await readFolder(folder)).map(({ path, sha256 }) => [path, sha256] as const);
  const sorted = files.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256Of(JSON.stringify(sorted));
}

/** Returns the part of an upload session's body that says where the version goes. It creates nothing itself. */
async function toUploadTarget(client: Client, deploy: FolderDeploy['deploy']) {
  if (!('slug' in deploy)) return deploy;
  const { slug, name } = deploy;
  const deployId = await findDeployId(client, slug);
  return deployId ? { deployId } : { createDeploy: { slug, name } };
}

async function findDeployId(client: Client, slug: string): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const query = { limit: maxListLimit, ...(cursor && { cursor }) };
    const { items, nextCursor } = await client.listDeploys({ query });
    const found = items.find((deploy) => deploy.slug === slug);
    if (found) return found.id;
    cursor = nextCursor;
  } while (cursor);
  return undefined;
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
      return { path, bytes, size: bytes.length, sha256: sha256Of(bytes) };
    }),
  );
}

const sha256Of = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

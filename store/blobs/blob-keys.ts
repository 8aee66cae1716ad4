/**
 * The keys of blobs. Each key starts with its workspace, so that no workspace can learn what another one stores. Keys are made of
 * ids, hashes and numbers only, so that they are safe in addresses and as paths of files.
 */
export const blobKeys = {
  file: (workspaceId: string, sha256: string) => `${workspaceId}/blobs/${sha256}`,
  renderPackage: (workspaceId: string, treeHash: string) => ({
    renderIndexKey: `${workspaceId}/packs/${treeHash}.json`,
    renderPackKey: `${workspaceId}/packs/${treeHash}`,
  }),
  output: (workspaceId: string, jobId: string, workflowAttempt: number) =>
    `${workspaceId}/outputs/${jobId}/${workflowAttempt}.pdf`,
} as const;

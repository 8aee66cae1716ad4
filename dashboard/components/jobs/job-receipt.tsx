import type { Receipt } from '../../../contracts/rest/schemas/receipts.ts';
import { CopyButton } from '../copy-button.tsx';
import { Copyable } from '../copyable.tsx';
import { type Fact, Facts } from '../facts.tsx';
import { Panel } from '../panel.tsx';

const fingerprint = (label: string, value: string | undefined): Fact => ({
  label,
  value: value && <Copyable value={value} label={label} />,
});

/** What made the PDF, so that it can be proved later. */
export const JobReceipt = ({ receipt }: { receipt: Receipt }) => (
  <Panel
    title="Receipt"
    description="What made this PDF, to prove it later."
    actions={
      <CopyButton value={JSON.stringify(receipt, null, 2)} label="Copy the receipt as JSON" />
    }
  >
    <Facts
      facts={[
        fingerprint('SHA-256 of the PDF', receipt.outputSha256),
        fingerprint('SHA-256 of the payload', receipt.payloadHash),
        fingerprint('Tree hash of the version', receipt.treeHash),
        { label: 'Address', value: receipt.targetUrl },
        fingerprint('Hash of the fonts', receipt.fontSetHash),
        { label: 'Chromium', value: receipt.chromiumVersion },
        { label: 'Renderer', value: receipt.renderer },
      ]}
    />
  </Panel>
);

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { dashboardPath, noncePlaceholder } from '../contracts/processes/web-addresses.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: `${dashboardPath}/`,
  plugins: [react()],
  html: { cspNonce: noncePlaceholder },
  build: {
    target: 'baseline-widely-available',
    // As files: the policy of the page lets no font or script come from a data: address.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});

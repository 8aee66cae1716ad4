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
    // Always writes files: the content security policy allows no font or script from a data: URL.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});

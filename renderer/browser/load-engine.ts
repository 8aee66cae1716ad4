import type { Engine } from './engine.ts';
import { pipeEngine } from './pipe-engine.ts';

export const engineNames = ['pipe', 'playwright'] as const;
export type EngineName = (typeof engineNames)[number];

/** Playwright takes 0.3 s to load, so it is imported only when it is chosen. */
const engines: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  pipe: async () => pipeEngine,
  playwright: async () => (await import('./playwright-engine.ts')).playwrightEngine,
};

export const loadEngine = (name: EngineName): Promise<Engine> => engines[name]();

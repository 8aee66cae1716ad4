import type { DocumentKind } from './document.ts';
import { barcodes } from './documents/barcodes.ts';
import { browser } from './documents/browser.ts';
import { charts } from './documents/charts.ts';
import { editors } from './documents/editors.ts';
import { endless } from './documents/endless.ts';
import { fonts } from './documents/fonts.ts';
import { frameworks } from './documents/frameworks.ts';
import { graphics } from './documents/graphics.ts';
import { hostile } from './documents/hostile.ts';
import { layout } from './documents/layout.ts';
import { maps } from './documents/maps.ts';
import { races } from './documents/races.ts';
import { science } from './documents/science.ts';
import { tables } from './documents/tables.ts';
import { workers } from './documents/workers.ts';

/** All documents, by kind. */
export const kinds: readonly DocumentKind[] = [
  charts,
  maps,
  tables,
  editors,
  fonts,
  science,
  graphics,
  layout,
  browser,
  barcodes,
  frameworks,
  workers,
  hostile,
  races,
  endless,
];

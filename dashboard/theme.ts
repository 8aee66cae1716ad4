import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The accent colour. Shades 6 to 9 on white, and shades 0 to 3 on dark, have a contrast of at least 4.5 : 1. */
const ink: MantineColorsTuple = [
  '#eef2fd',
  '#dbe2f9',
  '#b9c6f5',
  '#93a8f0',
  '#6f89e8',
  '#4a67d8',
  '#2a4bc4',
  '#1f3fb5',
  '#193393',
  '#14286f',
];

/** Warm greys. */
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ee',
  '#e9e6e0',
  '#dcd8d0',
  '#c2bdb3',
  '#99948a',
  '#69655d',
  '#4e4a44',
  '#35322e',
  '#1e1c1a',
];

const dark: MantineColorsTuple = [
  '#e8e6e1',
  '#c9c6bf',
  '#aaa79f',
  '#7d7a73',
  '#47453f',
  '#35332e',
  '#272521',
  '#1c1b18',
  '#151412',
  '#0e0d0c',
];

/** Darker than Mantine's red: readable as text, and as a background of white text. */
const red: MantineColorsTuple = [
  '#fef3f1',
  '#fbe0dc',
  '#f6beb6',
  '#f09a8f',
  '#e5776a',
  '#d9604f',
  '#c4321f',
  '#b42318',
  '#951d14',
  '#76160f',
];

export const theme = createTheme({
  colors: { ink, gray, dark, red },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  black: '#1e1c1a',
  defaultRadius: 'sm',
  respectReducedMotion: true,
  fontFamily: '"IBM Plex Sans", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontFamily: '"IBM Plex Sans", system-ui, sans-serif',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2', fontWeight: '400' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'md',
        overlayProps: { backgroundOpacity: 0.4 },
        // The button shows only a cross, so screen readers need a name.
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show or hide the password' } },
    },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
});

/** The colours of badges and notices, by meaning. They suit both colour schemes. */
export const toneColors = {
  neutral: 'var(--mantine-color-gray-5)',
  active: 'var(--accent)',
  warning: '#c77700',
  good: '#1d8a5a',
  bad: '#d03a2b',
} as const;
export type Tone = keyof typeof toneColors;

/** The colours of the style sheets, for both colour schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--page': '#fbfaf8',
    '--surface': '#ffffff',
    '--sunken': gray[1],
    '--line': gray[2],
    '--text-quiet': gray[6],
    '--accent': ink[7],
    '--accent-soft': ink[0],
    '--chart-good': '#3f9a74',
    '--chart-bad': '#d9604f',
    '--chart-quiet': gray[4],
    '--chart-open': ink[4],
    '--mantine-color-body': '#fbfaf8',
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-default-border': gray[3],
    '--mantine-color-error': red[7],
    '--mantine-color-red-light-color': red[7],
  },
  dark: {
    '--page': dark[8],
    '--surface': dark[7],
    '--sunken': '#0f0e0d',
    '--line': '#2c2a26',
    '--text-quiet': dark[2],
    '--accent': ink[3],
    '--accent-soft': '#20263d',
    '--chart-good': '#4ba37e',
    '--chart-bad': '#e07163',
    '--chart-quiet': dark[3],
    '--chart-open': ink[4],
    '--mantine-color-body': dark[8],
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-anchor': ink[3],
    '--mantine-color-error': red[3],
    '--mantine-color-red-light': '#381b17',
    '--mantine-color-red-light-hover': '#45211c',
    '--mantine-color-red-light-color': red[3],
  },
});

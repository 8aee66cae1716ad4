import type { CorpusDocument, DocumentKind } from '../document.ts';
import { page } from './page.ts';

/** Creates a document with text in one script, in the font of a package, linked by a style sheet as its users do. */
const script = (
  name: string,
  font: { pkg: string; family: string; css?: string; lang: string; rtl?: boolean },
  text: string,
  set: CorpusDocument['set'] = 'full',
  ready: CorpusDocument['ready'] = 'nothing',
): CorpusDocument => ({
  name,
  set,
  ready,
  files: ({ file, folder }) => ({
    'index.html': page({
      lang: font.lang,
      styles: [`font/${font.css ?? 'index.css'}`],
      css: `body { font: 32px '${font.family}' } ${font.rtl ? 'html { direction: rtl }' : ''}`,
      body: `<p>${text}</p><p lang="en">in Latin</p>`,
      script: ready === 'renderReady' ? 'window.renderReady = document.fonts.ready;' : '',
    }),
    [`font/${font.css ?? 'index.css'}`]: file(`${font.pkg}/${font.css ?? 'index.css'}`),
    ...folder(`${font.pkg}/files`, 'font/files', (path) => path.endsWith('woff2')),
  }),
  expect: { text: 'in Latin', ink: 0.003 },
});

/** Fonts of many scripts, variable fonts, icons. */
export const fonts: DocumentKind = {
  kind: 'fonts',
  documents: [
    script(
      'font-arabic',
      { pkg: '@fontsource/amiri', family: 'Amiri', lang: 'ar', rtl: true },
      'السلام عليكم ورحمة الله',
      'fast',
    ),
    script(
      'font-hebrew',
      { pkg: '@fontsource/noto-sans-hebrew', family: 'Noto Sans Hebrew', lang: 'he', rtl: true },
      'שלום עולם, זה מסמך',
      'fast',
    ),
    script(
      'font-thai',
      { pkg: '@fontsource/noto-sans-thai', family: 'Noto Sans Thai', lang: 'th' },
      'สวัสดีชาวโลก นี่คือเอกสาร',
      'fast',
      'renderReady',
    ),
    script(
      'font-devanagari',
      { pkg: '@fontsource/noto-sans-devanagari', family: 'Noto Sans Devanagari', lang: 'hi' },
      'नमस्ते दुनिया, क्षत्रिय',
    ),
    script(
      'font-tamil',
      { pkg: '@fontsource/noto-sans-tamil', family: 'Noto Sans Tamil', lang: 'ta' },
      'வணக்கம் உலகம்',
    ),
    script(
      'font-georgian',
      { pkg: '@fontsource/noto-sans-georgian', family: 'Noto Sans Georgian', lang: 'ka' },
      'გამარჯობა მსოფლიო',
      'full',
      'renderReady',
    ),
    script(
      'font-urdu-nastaliq',
      {
        pkg: '@fontsource/noto-nastaliq-urdu',
        family: 'Noto Nastaliq Urdu',
        lang: 'ur',
        rtl: true,
      },
      'آداب عرض ہے',
    ),
    script(
      'font-japanese',
      { pkg: '@fontsource/dela-gothic-one', family: 'Dela Gothic One', lang: 'ja' },
      '請求書をお送りします、ありがとう',
    ),
    script(
      'font-chinese',
      { pkg: '@fontsource/ma-shan-zheng', family: 'Ma Shan Zheng', lang: 'zh' },
      '您好世界，这是一份文件',
    ),
    script(
      'font-korean',
      { pkg: '@fontsource/black-han-sans', family: 'Black Han Sans', lang: 'ko' },
      '안녕하세요 세계',
      'full',
      'renderReady',
    ),
    {
      name: 'font-variable-weights',
      set: 'full',
      ready: 'renderReady',
      files: ({ file, folder }) => ({
        'index.html': page({
          styles: ['font/index.css'],
          body: [100, 300, 450, 620, 900]
            .map(
              (weight) => `<p style="font: ${weight} 28px 'Inter Variable'">weight ${weight}</p>`,
            )
            .join(''),
          script: 'window.renderReady = document.fonts.ready;',
        }),
        'font/index.css': file('@fontsource-variable/inter/index.css'),
        ...folder('@fontsource-variable/inter/files', 'font/files'),
      }),
      expect: { text: ['weight 100', 'weight 900'] },
    },
    {
      name: 'font-variable-axes',
      set: 'full',
      ready: 'nothing',
      files: ({ file, folder }) => ({
        'index.html': page({
          styles: ['font/full.css'],
          body: `<p style="font: 400 28px 'Recursive Variable'">sans</p>
            <p style="font: 700 28px 'Recursive Variable'; font-variation-settings: 'MONO' 1, 'CASL' 1, 'slnt' -10">casual mono</p>`,
        }),
        'font/full.css': file('@fontsource-variable/recursive/full.css'),
        ...folder('@fontsource-variable/recursive/files', 'font/files', (path) =>
          /full/.test(path),
        ),
      }),
      expect: { text: ['sans', 'casual mono'] },
    },
    {
      name: 'font-bootstrap-icons',
      set: 'full',
      ready: 'nothing',
      files: ({ file, folder }) => ({
        'index.html': page({
          styles: ['icons.css'],
          body: '<p style="font-size:60px"><i class="bi bi-printer"></i> <i class="bi bi-heart-fill"></i></p><p>icons</p>',
        }),
        'icons.css': file('bootstrap-icons/font/bootstrap-icons.css'),
        ...folder('bootstrap-icons/font/fonts', 'fonts'),
      }),
      expect: { text: 'icons', ink: 0.002 },
    },
    {
      name: 'font-twemoji-images',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['twemoji.js'],
          css: '.emoji { height: 1em }',
          body: '<p style="font-size:48px">Printed 🖨 with ❤</p>',
          script: `
            twemoji.parse(document.body, { callback: () => 'heart.svg' });
            window.renderReady = Promise.all([...document.images].map((image) => image.decode()));`,
        }),
        'heart.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="16" fill="crimson"/></svg>',
        'twemoji.js': file('twemoji/dist/twemoji.min.js'),
      }),
      expect: { text: ['Printed', 'with'], ink: 0.005 },
    },
    {
      name: 'font-unicode-range',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          css: `
            @font-face { font-family: Mixed; src: url(inter.woff2); unicode-range: U+0000-00FF; }
            @font-face { font-family: Mixed; src: url(georgian.woff2); unicode-range: U+10A0-10FF; }
            @font-face { font-family: Mixed; src: url(never-needed.woff2); unicode-range: U+0400-04FF; }
            p { font: 30px Mixed }`,
          body: '<p>Latin and გამარჯობა</p>',
        }),
        'inter.woff2': file('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
        'georgian.woff2': file(
          '@fontsource/noto-sans-georgian/files/noto-sans-georgian-georgian-400-normal.woff2',
        ),
      }),
      expect: { text: 'Latin and' },
    },
  ],
};

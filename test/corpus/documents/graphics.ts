import { app } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page } from './page.ts';

/** Drawing and animation. */
export const graphics: DocumentKind = {
  kind: 'graphics',
  documents: [
    {
      name: 'three-js-webgl',
      set: 'full',
      ready: 'renderReady',
      files: ({ folder }) => ({
        'index.html': page({
          body: '<canvas width="500" height="400"></canvas><p></p>',
          module: `
            import * as THREE from './three/three.module.js';
            const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas'), preserveDrawingBuffer: true });
            const scene = new THREE.Scene();
            scene.background = new THREE.Color('lightblue');
            scene.add(new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshBasicMaterial({ color: 'crimson' })));
            const camera = new THREE.PerspectiveCamera(50, 5 / 4, 0.1, 10);
            camera.position.set(1.4, 1.2, 2);
            camera.lookAt(0, 0, 0);
            renderer.render(scene, camera);
            document.querySelector('p').textContent = 'A cube';
            window.renderReady = Promise.resolve();`,
        }),
        ...folder('three/build', 'three', (path) => /^three\.(module|core)\.js$/.test(path)),
      }),
      expect: { text: 'A cube', ink: 0.1 },
    },
    {
      name: 'p5-sketch',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script src="p5.js"></script>',
          body: '<main></main>',
          script: `
            window.renderReady = new Promise((resolve) => {
              window.setup = () => { createCanvas(400, 300); noLoop(); };
              window.draw = () => {
                background('gold');
                for (let x = 20; x < 400; x += 40) circle(x, 150, x / 10);
                createP('sketched once');
                resolve();
              };
            });`,
        }),
        'p5.js': file('p5/lib/p5.min.js'),
      }),
      expect: { text: 'sketched once', ink: 0.1 },
    },
    {
      name: 'lottie-last-frame',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['lottie.js'],
          body: '<div id="film" style="width:300px;height:300px"></div><p></p>',
          script: `
            window.renderReady = new Promise((resolve) => {
              const film = lottie.loadAnimation({ container: document.getElementById('film'), renderer: 'svg', loop: false, autoplay: false, path: 'film.json' });
              film.addEventListener('DOMLoaded', () => {
                film.goToAndStop(film.totalFrames - 1, true);
                document.querySelector('p').textContent = 'The last frame';
                resolve();
              });
            });`,
        }),
        'film.json': JSON.stringify({
          v: '5.5.0',
          fr: 30,
          ip: 0,
          op: 60,
          w: 300,
          h: 300,
          nm: 'film',
          ddd: 0,
          assets: [],
          layers: [
            {
              ddd: 0,
              ind: 1,
              ty: 1,
              nm: 'square',
              sr: 1,
              sw: 100,
              sh: 100,
              sc: '#cc2244',
              ip: 0,
              op: 60,
              st: 0,
              bm: 0,
              ks: {
                o: { a: 0, k: 100 },
                r: {
                  a: 1,
                  k: [
                    { t: 0, s: [0], i: { x: [1], y: [1] }, o: { x: [0], y: [0] } },
                    { t: 60, s: [90] },
                  ],
                },
                p: { a: 0, k: [150, 150, 0] },
                a: { a: 0, k: [50, 50, 0] },
                s: { a: 0, k: [200, 200, 100] },
              },
            },
          ],
        }),
        'lottie.js': file('lottie-web/build/player/lottie.min.js'),
      }),
      expect: { text: 'The last frame', ink: 0.03 },
    },
    {
      name: 'gsap-tween',
      set: 'full',
      ready: 'nothing',
      late: true,
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['gsap.js'],
          body: '<div style="width:50px;height:50px;background:crimson"></div><p></p>',
          script: `
            gsap.to('div', { x: 400, duration: 0.7, onComplete: () => { document.querySelector('p').textContent = 'The tween has ended'; } });`,
        }),
        'gsap.js': file('gsap/dist/gsap.min.js'),
      }),
      expect: { text: 'The tween has ended' },
    },
    {
      name: 'anime-js-timeline',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['anime.js'],
          body: '<div style="width:50px;height:50px;background:olive"></div><p></p>',
          script: `
            window.renderReady = new Promise((resolve) => anime.animate('div', {
              translateX: 300, duration: 400,
              onComplete: () => { document.querySelector('p').textContent = 'Animated'; resolve(); },
            }));`,
        }),
        'anime.js': file('animejs/dist/bundles/anime.umd.min.js'),
      }),
      expect: { text: 'Animated' },
    },
    {
      name: 'css-animation-fade-in',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          css: '@keyframes fade { from { opacity: 0 } } p { animation: fade 200ms both; font-size: 40px }',
          body: '<p>Faded in</p>',
        }),
      }),
      expect: { text: 'Faded in' },
    },
    {
      name: 'countup-number',
      set: 'full',
      ready: 'nothing',
      late: true,
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['countup.js'],
          body: '<p>0</p>',
          script: `new countUp.CountUp(document.querySelector('p'), 98765, { duration: 0.8 }).start();`,
        }),
        'countup.js': file('countup.js/dist/countUp.umd.js'),
      }),
      expect: { text: '98,765' },
    },
    {
      name: 'konva-stage',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['konva.js'],
          body: '<div id="stage"></div><p>on a stage</p>',
          script: `
            const stage = new Konva.Stage({ container: 'stage', width: 400, height: 200 });
            const layer = new Konva.Layer();
            layer.add(new Konva.Star({ x: 200, y: 100, numPoints: 7, innerRadius: 40, outerRadius: 90, fill: 'teal' }));
            stage.add(layer);
            layer.draw();
            window.renderReady = Promise.resolve();`,
        }),
        'konva.js': file('konva/konva.min.js'),
      }),
      expect: { text: 'on a stage', ink: 0.01 },
    },
    {
      name: 'two-js-svg',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['two.js'],
          body: '<div></div>',
          script: `
            const two = new Two({ width: 400, height: 200 }).appendTo(document.querySelector('div'));
            two.makeCircle(100, 100, 80).fill = 'orange';
            two.makeText('by Two', 280, 100);
            two.update();`,
        }),
        'two.js': file('two.js/build/two.min.js'),
      }),
      expect: { text: 'by Two', ink: 0.02 },
    },
    {
      name: 'svg-js-gradient',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['svg.js'],
          body: '<div></div>',
          script: `
            const draw = SVG().addTo('div').size(400, 200);
            draw.rect(300, 150).fill(draw.gradient('linear', (add) => { add.stop(0, 'crimson'); add.stop(1, 'navy'); }));
            draw.text('by SVG.js').move(20, 160);`,
        }),
        'svg.js': file('@svgdotjs/svg.js/dist/svg.min.js'),
      }),
      expect: { text: 'by SVG.js', ink: 0.05 },
    },
    {
      name: 'html2canvas-copy',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['html2canvas.js'],
          body: '<div style="width:300px;background:gold;padding:20px">original</div><hr>',
          script: `
            window.renderReady = html2canvas(document.querySelector('div')).then((canvas) => { document.body.append(canvas); });`,
        }),
        'html2canvas.js': file('html2canvas/dist/html2canvas.min.js'),
      }),
      expect: { text: 'original', ink: 0.02 },
    },
    {
      name: 'frappe-gantt-chart',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['gantt.css'],
          scripts: ['gantt.js'],
          body: '<h1>Plan</h1><svg id="gantt"></svg>',
          script: `
            new Gantt('#gantt', [
              { id: 'a', name: 'Write', start: '2024-01-01', end: '2024-01-05', progress: 100 },
              { id: 'b', name: 'Print', start: '2024-01-06', end: '2024-01-09', progress: 20, dependencies: 'a' },
            ], { view_mode: 'Day' });`,
        }),
        'gantt.js': file('frappe-gantt/dist/frappe-gantt.umd.js'),
        'gantt.css': file('frappe-gantt/dist/frappe-gantt.css'),
      }),
      expect: { text: 'Plan' },
    },
    {
      name: 'jquery-sparklines',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['jquery.js', 'sparkline.js'],
          body: '<p>trend <span>3,5,2,8,6,9,4</span></p>',
          script: `window.renderReady = new Promise((resolve) => $(() => { $('span').sparkline('html', { type: 'bar', height: 60, barWidth: 12 }); resolve(); }));`,
        }),
        'jquery.js': file('jquery/dist/jquery.min.js'),
        'sparkline.js': file('jquery-sparkline/jquery.sparkline.min.js'),
      }),
      expect: { text: 'trend', ink: 0.002 },
    },
    {
      name: 'masonry-images',
      set: 'full',
      ready: 'renderReady',
      files: () =>
        app(
          'full',
          `
          import imagesLoaded from 'imagesloaded';
          import Masonry from 'masonry-layout';
          const grid = document.getElementById('app');
          grid.innerHTML = [80, 160, 120, 200, 90, 140].map((height) => '<img class="item" width="180" src="box-' + height + '.svg" alt="">').join('');
          window.renderReady = new Promise((resolve) => imagesLoaded(grid, () => {
            new Masonry(grid, { itemSelector: '.item', columnWidth: 190, transitionDuration: 0 });
            document.body.insertAdjacentHTML('afterbegin', '<h1>laid out</h1>');
            resolve();
          }));`,
        ).then((files) => ({
          ...files,
          ...Object.fromEntries(
            [80, 160, 120, 200, 90, 140].map((height) => [
              `box-${height}.svg`,
              `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="${height}"><rect width="180" height="${height}" fill="hsl(${height} 60% 60%)"/></svg>`,
            ]),
          ),
        })),
      expect: { text: 'laid out', ink: 0.05 },
    },
  ],
};

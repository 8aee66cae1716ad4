import { app } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import type { FileMap } from '../packages.ts';
import { page, withoutRenderReady } from './page.ts';

/** The 64 tiles of zoom level 3, each in another colour. */
const tiles: FileMap = Object.fromEntries(
  Array.from({ length: 64 }, (_, index) => {
    const [x, y] = [index % 8, Math.floor(index / 8)];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="hsl(${index * 5} 60% 75%)"/><text x="90" y="140" font-size="40">${x}/${y}</text></svg>`;
    return [`tiles/3/${x}/${y}.svg`, svg];
  }),
);

const places = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'Zürich' },
      geometry: { type: 'Point', coordinates: [8.5, 47.4] },
    },
    {
      type: 'Feature',
      properties: { name: 'Oslo' },
      geometry: { type: 'Point', coordinates: [10.7, 59.9] },
    },
  ],
});

/** Maps whose tiles and shapes are files of the package. */
export const maps: DocumentKind = {
  kind: 'maps',
  documents: [
    {
      name: 'leaflet-tiles',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file, folder }) => ({
        'index.html': page({
          styles: ['leaflet.css'],
          scripts: ['leaflet.js'],
          body: '<div id="map" style="width:680px;height:420px"></div><p></p>',
          script: `
            window.renderReady = new Promise((resolve) => {
              const map = L.map('map', { fadeAnimation: false, zoomAnimation: false, attributionControl: false }).setView([47.4, 8.5], 3);
              L.tileLayer('tiles/{z}/{x}/{y}.svg').on('load', () => {
                document.querySelector('p').textContent = 'All tiles have come';
                resolve();
              }).addTo(map);
              L.circle([47.4, 8.5], { radius: 500000, color: 'crimson' }).addTo(map);
            });`,
        }),
        'leaflet.js': file('leaflet/dist/leaflet.js'),
        'leaflet.css': file('leaflet/dist/leaflet.css'),
        ...folder('leaflet/dist/images', 'images'),
        ...tiles,
      }),
      expect: { text: 'All tiles have come', ink: 0.2 },
    },
    {
      name: 'leaflet-markers-on-its-own',
      set: 'full',
      ready: 'nothing',
      files: ({ file, folder }) => ({
        'index.html': page({
          styles: ['leaflet.css', 'MarkerCluster.css', 'MarkerCluster.Default.css'],
          scripts: ['leaflet.js', 'leaflet.markercluster.js'],
          body: '<h1></h1><div id="map" style="width:680px;height:420px"></div>',
          script: withoutRenderReady(`
            document.querySelector('h1').textContent = data.title;
            const map = L.map('map', { fadeAnimation: false, zoomAnimation: false, attributionControl: false }).setView([47.4, 8.5], 3);
            L.tileLayer('tiles/{z}/{x}/{y}.svg').addTo(map);
            L.marker([40, 0]).addTo(map);
            const cluster = L.markerClusterGroup({ animate: false });
            data.rows.forEach(({ apples, pears }) => cluster.addLayer(L.marker([apples / 2, pears / 3])));
            map.addLayer(cluster);`),
        }),
        'leaflet.js': file('leaflet/dist/leaflet.js'),
        'leaflet.css': file('leaflet/dist/leaflet.css'),
        'leaflet.markercluster.js': file('leaflet.markercluster/dist/leaflet.markercluster.js'),
        'MarkerCluster.css': file('leaflet.markercluster/dist/MarkerCluster.css'),
        'MarkerCluster.Default.css': file('leaflet.markercluster/dist/MarkerCluster.Default.css'),
        ...folder('leaflet/dist/images', 'images'),
        ...tiles,
      }),
      expect: { text: 'Yearly sales', ink: 0.2 },
    },
    {
      name: 'd3-geo-topojson-world',
      set: 'full',
      ready: 'renderReady',
      files: async ({ file }) => ({
        ...(await app(
          'full',
          `
          import { geoNaturalEarth1, geoPath, geoGraticule10 } from 'd3-geo';
          import { feature } from 'topojson-client';
          window.renderReady = fetch('world.json').then((answer) => answer.json()).then((world) => {
            const draw = geoPath(geoNaturalEarth1().fitSize([680, 360], { type: 'Sphere' }));
            const countries = feature(world, world.objects.countries).features;
            document.querySelector('svg').innerHTML = '<path fill="none" stroke="silver" d="' + draw(geoGraticule10()) + '"/>' +
              countries.map((one) => '<path fill="teal" d="' + draw(one) + '"><title>' + one.properties.name + '</title></path>').join('');
            document.querySelector('p').textContent = countries.length + ' countries';
          });`,
          { body: '<svg width="680" height="360"></svg><p></p>' },
        )),
        'world.json': file('world-atlas/countries-110m.json'),
      }),
      expect: { text: '177 countries', ink: 0.05 },
    },
    {
      name: 'openlayers-vector',
      set: 'full',
      ready: 'renderReady',
      files: async () => ({
        ...(await app(
          'full',
          `
          import OlMap from 'ol/Map.js';
          import View from 'ol/View.js';
          import GeoJSON from 'ol/format/GeoJSON.js';
          import VectorLayer from 'ol/layer/Vector.js';
          import TileLayer from 'ol/layer/Tile.js';
          import XYZ from 'ol/source/XYZ.js';
          import VectorSource from 'ol/source/Vector.js';
          import { fromLonLat } from 'ol/proj.js';
          import 'ol/ol.css';
          const map = new OlMap({
            target: 'map', controls: [],
            layers: [
              new TileLayer({ source: new XYZ({ url: 'tiles/{z}/{x}/{y}.svg', minZoom: 3, maxZoom: 3, transition: 0 }) }),
              new VectorLayer({ source: new VectorSource({ url: 'places.json', format: new GeoJSON() }) }),
            ],
            view: new View({ center: fromLonLat([9, 50]), zoom: 3 }),
          });
          window.renderReady = new Promise((resolve) => map.once('rendercomplete', () => {
            document.querySelector('p').textContent = 'The map is complete';
            resolve();
          }));`,
          { body: '<div id="map" style="width:640px;height:400px"></div><p></p>' },
        )),
        ...tiles,
        'places.json': places,
      }),
      expect: { text: 'The map is complete', ink: 0.2 },
    },
    {
      name: 'maplibre-webgl',
      set: 'full',
      ready: 'renderReady',
      files: ({ folder }) => ({
        'index.html': page({
          styles: ['maplibre/maplibre-gl.css'],
          body: '<div id="map" style="width:640px;height:400px"></div><p></p>',
          module: `
            import * as maplibregl from './maplibre/maplibre-gl.mjs';
            window.renderReady = new Promise((resolve) => {
              const done = (text) => { document.querySelector('p').textContent = text; resolve(); };
              try {
                const map = new maplibregl.Map({
                  container: 'map', center: [9, 50], zoom: 3, attributionControl: false, fadeDuration: 0,
                  canvasContextAttributes: { preserveDrawingBuffer: true },
                  style: {
                    version: 8,
                    sources: { places: { type: 'geojson', data: 'places.json' } },
                    layers: [
                      { id: 'sea', type: 'background', paint: { 'background-color': 'lightblue' } },
                      { id: 'places', type: 'circle', source: 'places', paint: { 'circle-radius': 20, 'circle-color': 'crimson' } },
                    ],
                  },
                });
                map.once('idle', () => done('The map is idle'));
              } catch (error) { done('No map: ' + error.message); }
            });`,
        }),
        'places.json': places,
        ...folder(
          'maplibre-gl/dist',
          'maplibre',
          (path) => /\.(mjs|css)$/.test(path) && !path.includes('-dev'),
        ),
      }),
      expect: { text: 'The map is idle', ink: 0.2 },
    },
  ],
};

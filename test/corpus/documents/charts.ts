import { bundle } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page, withoutRenderReady, withRenderReady } from './page.ts';

const months = 'rows.map(({ month }) => month)';

/** Charts, drawn on a canvas or as SVG. */
export const charts: DocumentKind = {
  kind: 'charts',
  documents: [
    {
      name: 'chart-js-bars',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['chart.js'],
          body: '<h1></h1><div style="width:640px"><canvas></canvas></div>',
          script: withRenderReady(`
            const { rows } = data;
            document.querySelector('h1').textContent = data.title;
            new Chart(document.querySelector('canvas'), {
              type: 'bar',
              data: { labels: ${months}, datasets: [
                { label: 'apples', data: rows.map(({ apples }) => apples), backgroundColor: 'crimson' },
                { label: 'pears', data: rows.map(({ pears }) => pears), backgroundColor: 'olive' },
              ] },
              options: { animation: false },
            });`),
        }),
        'chart.js': file('chart.js/dist/chart.umd.js'),
      }),
      expect: { text: 'Yearly sales', ink: 0.05 },
    },
    {
      name: 'd3-line',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['d3.js'],
          body: '<svg width="640" height="320"></svg>',
          script: `
            d3.json('/__payload').then(({ rows, title }) => {
              const svg = d3.select('svg');
              const x = d3.scalePoint(rows.map((row) => row.month), [40, 620]);
              const y = d3.scaleLinear([0, 100], [290, 10]);
              svg.append('g').attr('transform', 'translate(0,290)').call(d3.axisBottom(x));
              svg.append('g').attr('transform', 'translate(40,0)').call(d3.axisLeft(y));
              svg.append('path').datum(rows).attr('fill', 'none').attr('stroke', 'teal').attr('stroke-width', 3)
                .attr('d', d3.line((row) => x(row.month), (row) => y(row.apples)).curve(d3.curveMonotoneX));
              svg.append('text').attr('x', 60).attr('y', 24).text(title);
            });`,
        }),
        'd3.js': file('d3/dist/d3.min.js'),
      }),
      expect: { text: ['Yearly sales', 'November'] },
    },
    {
      name: 'uplot-series',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['uplot.css'],
          scripts: ['uplot.js'],
          body: '<div id="chart"></div>',
          script: withRenderReady(`
            const { rows } = data;
            new uPlot({
              title: data.title, width: 640, height: 320, scales: { x: { time: false } },
              series: [{}, { label: 'apples', stroke: 'crimson', width: 2 }, { label: 'pears', stroke: 'olive', width: 2 }],
            }, [rows.map((_, index) => index), rows.map(({ apples }) => apples), rows.map(({ pears }) => pears)],
            document.getElementById('chart'));
            await new Promise((resolve) => setTimeout(resolve));`),
        }),
        'uplot.js': file('uplot/dist/uPlot.iife.min.js'),
        'uplot.css': file('uplot/dist/uPlot.min.css'),
      }),
      expect: { text: 'Yearly sales', ink: 0.01 },
    },
    {
      name: 'echarts-canvas',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['echarts.js'],
          body: '<div id="chart" style="width:640px;height:360px"></div><p></p>',
          script: `
            window.renderReady = fetch('/__payload').then((answer) => answer.json()).then(({ rows, title }) => new Promise((resolve) => {
              const chart = echarts.init(document.getElementById('chart'));
              chart.on('finished', () => { document.querySelector('p').textContent = title; resolve(); });
              chart.setOption({
                xAxis: { data: ${months} }, yAxis: {}, legend: {},
                series: [{ name: 'apples', type: 'bar', data: rows.map(({ apples }) => apples) },
                  { name: 'pears', type: 'line', data: rows.map(({ pears }) => pears) }],
              });
            }));`,
        }),
        'echarts.js': file('echarts/dist/echarts.min.js'),
      }),
      expect: { text: 'Yearly sales', ink: 0.05 },
    },
    {
      name: 'echarts-svg',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['echarts.js'],
          body: '<div id="chart" style="width:640px;height:360px"></div>',
          script: withoutRenderReady(`
            echarts.init(document.getElementById('chart'), null, { renderer: 'svg' }).setOption({
              animation: false, title: { text: data.title },
              series: [{ type: 'pie', data: data.rows.map(({ month, apples }) => ({ name: month, value: apples })) }],
            });`),
        }),
        'echarts.js': file('echarts/dist/echarts.min.js'),
      }),
      expect: { text: ['Yearly sales', 'December'], ink: 0.03 },
    },
    {
      name: 'plotly-scatter',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['plotly.js'],
          body: '<div id="chart" style="width:680px;height:420px"></div>',
          script: withRenderReady(`
            const { rows } = data;
            await Plotly.newPlot('chart', [
              { x: ${months}, y: rows.map(({ apples }) => apples), type: 'scatter', name: 'apples' },
              { x: ${months}, y: rows.map(({ pears }) => pears), type: 'bar', name: 'pears' },
            ], { title: { text: data.title } }, { staticPlot: true });`),
        }),
        'plotly.js': file('plotly.js-basic-dist-min/plotly-basic.min.js'),
      }),
      expect: { text: ['Yearly sales', 'December'], ink: 0.03 },
    },
    {
      name: 'highcharts-columns',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['highcharts.js'],
          body: '<div id="chart" style="width:680px;height:420px"></div>',
          script: withoutRenderReady(`
            Highcharts.chart('chart', {
              title: { text: data.title }, credits: { enabled: false }, plotOptions: { series: { animation: false } },
              xAxis: { categories: data.${months} },
              series: [{ type: 'column', name: 'apples', data: data.rows.map(({ apples }) => apples) }],
            });`),
        }),
        'highcharts.js': file('highcharts/highcharts.js'),
      }),
      expect: { text: ['Yearly sales', 'apples'], ink: 0.04 },
    },
    {
      name: 'apexcharts-area',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['apexcharts.js'],
          body: '<div id="chart" style="width:680px"></div>',
          script: withRenderReady(`
            await new ApexCharts(document.getElementById('chart'), {
              chart: { type: 'area', height: 360, animations: { enabled: false }, toolbar: { show: false } },
              title: { text: data.title },
              series: [{ name: 'apples', data: data.rows.map(({ apples }) => apples) }],
              xaxis: { categories: data.${months} },
            }).render();`),
        }),
        'apexcharts.js': file('apexcharts/dist/apexcharts.js'),
      }),
      expect: { text: 'Yearly sales', ink: 0.03 },
    },
    {
      name: 'apexcharts-animated',
      set: 'full',
      ready: 'nothing',
      late: true,
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['apexcharts.js'],
          body: '<div id="chart" style="width:680px"></div><p></p>',
          script: withoutRenderReady(`
            new ApexCharts(document.getElementById('chart'), {
              chart: {
                type: 'bar', height: 360, toolbar: { show: false },
                animations: { enabled: true, speed: 800, animateGradually: { enabled: false } },
                events: { animationEnd: () => { document.querySelector('p').textContent = 'The bars have grown'; } },
              },
              series: [{ name: 'apples', data: data.rows.map(({ apples }) => apples) }],
              xaxis: { categories: data.${months} },
            }).render();`),
        }),
        'apexcharts.js': file('apexcharts/dist/apexcharts.js'),
      }),
      expect: { text: 'The bars have grown', ink: 0.05 },
    },
    {
      name: 'vega-lite-embed',
      set: 'full',
      ready: 'renderReady',
      files: async () => ({
        'index.html': page({
          body: '<div id="chart"></div>',
          head: '<script type="module" src="app.js"></script>',
        }),
        ...(await bundle(
          'full',
          `
          import vegaEmbed from 'vega-embed';
          window.renderReady = fetch('/__payload').then((answer) => answer.json()).then(({ rows, title }) =>
            vegaEmbed('#chart', {
              title, width: 500, height: 300, data: { values: rows }, mark: 'bar',
              encoding: { x: { field: 'month', type: 'nominal', sort: null }, y: { field: 'apples', type: 'quantitative' } },
            }, { renderer: 'svg', actions: false }));`,
        )),
      }),
      expect: { text: ['Yearly sales', 'December'], ink: 0.03 },
    },
    {
      name: 'frappe-charts-percentage',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['frappe-charts.js'],
          body: '<div id="chart" style="width:680px"></div>',
          script: withoutRenderReady(`
            new frappe.Chart('#chart', {
              title: data.title, type: 'line', height: 300, animate: 0,
              data: { labels: data.${months}, datasets: [{ name: 'apples', values: data.rows.map(({ apples }) => apples) }] },
            });`),
        }),
        'frappe-charts.js': file('frappe-charts/dist/frappe-charts.min.umd.js'),
      }),
      expect: { text: 'Yearly sales', ink: 0.003 },
    },
    {
      name: 'chartist-lines',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['chartist.css'],
          scripts: ['chartist.js'],
          body: '<h1></h1><div id="chart" style="width:680px;height:320px"></div>',
          script: withRenderReady(`
            document.querySelector('h1').textContent = data.title;
            await new Promise((resolve) => new Chartist.LineChart('#chart', {
              labels: data.${months}, series: [data.rows.map(({ apples }) => apples), data.rows.map(({ pears }) => pears)],
            }).on('created', resolve));`),
        }),
        'chartist.js': file('chartist/dist/index.umd.js'),
        'chartist.css': file('chartist/dist/index.css'),
      }),
      expect: { text: ['Yearly sales', 'January'] },
    },
    {
      name: 'recharts-lines',
      set: 'full',
      ready: 'nothing',
      files: async () => ({
        'index.html': page({
          body: '<div id="app"></div>',
          head: '<script type="module" src="app.js"></script>',
        }),
        ...(await bundle(
          'full',
          `
          import { createElement as h, useEffect, useState } from 'react';
          import { createRoot } from 'react-dom/client';
          import { CartesianGrid, Legend, Line, LineChart, XAxis, YAxis } from 'recharts';
          function App() {
            const [data, setData] = useState();
            useEffect(() => { fetch('/__payload').then((answer) => answer.json()).then(setData); }, []);
            if (!data) return h('p', null, 'Loading');
            return h('div', null, h('h1', null, data.title),
              h(LineChart, { width: 680, height: 320, data: data.rows },
                h(CartesianGrid), h(XAxis, { dataKey: 'month' }), h(YAxis), h(Legend),
                h(Line, { dataKey: 'apples', isAnimationActive: false, stroke: 'crimson' }),
                h(Line, { dataKey: 'pears', isAnimationActive: false, stroke: 'olive' })));
          }
          createRoot(document.getElementById('app')).render(h(App));`,
        )),
      }),
      expect: { text: ['Yearly sales', 'pears'] },
    },
    {
      name: 'dygraphs-time-series',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['dygraph.css'],
          scripts: ['dygraph.js'],
          body: '<h1></h1><div id="chart" style="width:680px;height:320px"></div>',
          script: `
            window.renderReady = new Promise((resolve) => {
              fetch('/__payload').then((answer) => answer.json()).then((data) => {
                document.querySelector('h1').textContent = data.title;
                new Dygraph(document.getElementById('chart'), data.rows.map(({ apples, pears }, index) => [index, apples, pears]),
                  { labels: ['month', 'apples', 'pears'] }).ready(resolve);
              });
            });`,
        }),
        'dygraph.js': file('dygraphs/dist/dygraph.min.js'),
        'dygraph.css': file('dygraphs/dist/dygraph.min.css'),
      }),
      expect: { text: 'Yearly sales', ink: 0.005 },
    },
    {
      name: 'c3-donut',
      set: 'full',
      ready: 'nothing',
      late: true,
      files: ({ file }) => ({
        'index.html': page({
          styles: ['c3.css'],
          scripts: ['d3.js', 'c3.js'],
          body: '<div id="chart" style="width:600px"></div>',
          script: withoutRenderReady(`
            c3.generate({
              bindto: '#chart', transition: { duration: 0 },
              data: { type: 'donut', columns: [['apples', 30], ['pears', 70]] },
              donut: { title: data.title },
            });`),
        }),
        'd3.js': file('d3/dist/d3.min.js'),
        'c3.js': file('c3/c3.min.js'),
        'c3.css': file('c3/c3.min.css'),
      }),
      expect: { text: ['Yearly sales', 'apples'], ink: 0.03 },
    },
    {
      name: 'observable-plot',
      set: 'full',
      ready: 'renderReady',
      files: async () => ({
        'index.html': page({
          body: '<div id="chart"></div>',
          head: '<script type="module" src="app.js"></script>',
        }),
        ...(await bundle(
          'full',
          `
          import * as Plot from '@observablehq/plot';
          window.renderReady = fetch('/__payload').then((answer) => answer.json()).then(({ rows, title }) => {
            document.getElementById('chart').append(Plot.plot({
              title, x: { domain: rows.map(({ month }) => month) },
              marks: [Plot.barY(rows, { x: 'month', y: 'apples', fill: 'teal' }), Plot.ruleY([0])],
            }));
          });`,
        )),
      }),
      expect: { text: ['Yearly sales', 'apples'], ink: 0.03 },
    },
    {
      name: 'd3-sankey-flow',
      set: 'full',
      ready: 'renderReady',
      files: async () => ({
        'index.html': page({
          body: '<svg width="640" height="320"></svg>',
          head: '<script type="module" src="app.js"></script>',
        }),
        ...(await bundle(
          'full',
          `
          import { sankey, sankeyLinkHorizontal } from 'd3-sankey';
          window.renderReady = Promise.resolve().then(() => {
            const names = ['Orchard', 'Market', 'Cider', 'Table'];
            const { nodes, links } = sankey().nodeWidth(20).extent([[10, 10], [620, 300]])({
              nodes: names.map((name) => ({ name })),
              links: [{ source: 0, target: 1, value: 6 }, { source: 0, target: 2, value: 4 }, { source: 1, target: 3, value: 5 }],
            });
            document.querySelector('svg').innerHTML =
              links.map((link) => '<path fill="none" stroke="silver" stroke-width="' + link.width + '" d="' + sankeyLinkHorizontal()(link) + '"/>').join('') +
              nodes.map((node) => '<rect x="' + node.x0 + '" y="' + node.y0 + '" width="20" height="' + (node.y1 - node.y0) + '" fill="teal"/><text x="' + node.x0 + '" y="' + (node.y0 + 14) + '">' + node.name + '</text>').join('');
          });`,
        )),
      }),
      expect: { text: ['Orchard', 'Cider'], ink: 0.03 },
    },
  ],
};

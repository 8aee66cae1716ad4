// The house, bottom to top. A room imports only rooms on lower floors; docs/house.md draws it.
const floors = [
  ['contracts', 'network'],
  ['config', 'renderer'],
  ['store', 'client'],
  ['temporal', 'activities'],
  ['workflows'],
  ['worker', 'api'],
  ['dashboard'],
];

const roomsOf = (list) => `^(${list.flat().join('|')})/`;

const floorRules = floors.flatMap((rooms, floor) =>
  rooms.map((room) => {
    const others = floors
      .slice(floor)
      .flat()
      .filter((other) => other !== room);
    return {
      name: `${room}-stays-on-its-floor`,
      comment: `${room}/ is on floor ${floor}: it may import only rooms on lower floors.`,
      severity: 'error',
      from: { path: `^${room}/` },
      to: { path: roomsOf([...others, 'dev', 'bench', 'test', 'examples', 'docs']) },
    };
  }),
);

module.exports = {
  forbidden: [
    ...floorRules,
    {
      name: 'workflows-import-only-types-of-activities',
      comment:
        'Workflow code runs in the deterministic sandbox: activities are reached by proxy, only their types are imported.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        path: '^(activities|temporal|store|config|renderer|network)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'dashboard-has-no-other-door',
      comment:
        'The page runs in a browser: it has the agreed words, and of the admin router only its types.',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: {
        path: '^(api|worker|workflows|activities|temporal|store|client|config|renderer|network)/',
        pathNot: '^api/admin/',
      },
    },
    {
      name: 'dashboard-imports-only-types-of-the-admin-router',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^api/admin/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'api-tests-are-black-box',
      comment:
        'The API suite speaks HTTP. It may import the agreed words and the typed client, never the application.',
      severity: 'error',
      from: { path: '^test/api/' },
      to: { path: '^(api|store|temporal|activities|workflows|worker|renderer|config|network)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|\\.data|examples|dashboard/dist)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

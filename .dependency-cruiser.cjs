// The house, bottom to top. A room imports only rooms on lower floors; docs/house.md draws it.
const floors = [
  ['contracts', 'network'],
  ['config', 'renderer'],
  ['runtime', 'store', 'client'],
  ['temporal', 'activities', 'cli'],
  ['workflows'],
  ['worker', 'api'],
  ['dashboard'],
];

/** Folders of a room, bottom to top; the files beside them are above all. Folders on one line do not import each other. */
const folders = {
  contracts: [['rest'], ['admin', 'processes']],
  store: [
    ['database'],
    ['secrets', 'blobs', 'usage'],
    ['workspaces'],
    ['deploys', 'webhooks', 'people'],
    ['jobs'],
  ],
  renderer: [['cdp', 'proxy'], ['pdf'], ['page'], ['browser']],
  dev: [['install'], ['servers'], ['launcher'], ['start', 'test']],
};

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

const folderRules = Object.entries(folders).flatMap(([room, levels]) =>
  levels.flatMap((names, level) =>
    names.map((name) => {
      const others = levels
        .slice(level)
        .flat()
        .filter((other) => other !== name);
      return {
        name: `${room}-${name}-stays-below`,
        comment: `${room}/${name}/ may import only the folders below it.`,
        severity: 'error',
        from: { path: `^${room}/${name}/` },
        to: { path: `^${room}/(${others.join('|')})/` },
      };
    }),
  ),
);

module.exports = {
  forbidden: [
    ...floorRules,
    ...folderRules,
    {
      name: 'store-folders-do-not-import-files-above',
      comment:
        'The files beside the folders of store/ combine several folders. No folder imports them.',
      severity: 'error',
      from: { path: '^store/[^/]+/' },
      to: { path: '^store/[^/]+\\.ts$' },
    },
    {
      name: 'azure-sdk-only-in-its-storage',
      comment:
        'Only the Azure implementation of the blob storage imports the SDK of Azure. The fault tests also list the container.',
      severity: 'error',
      from: { pathNot: '^(store/blobs/azure-blob-storage|test/faults/invariants)\\.ts$' },
      to: { path: '(^|/)@azure/' },
    },
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
    // Packages are left out, except those that a rule names.
    exclude: {
      path: '(^|/)(node_modules/(?!@azure/)|\\.data/|examples/|(dashboard|client)/dist/)',
    },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

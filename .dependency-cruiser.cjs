/**
 * The architecture as rules: what each part may import (see ARCHITECTURE.md). Everything that is not
 * listed for a part is forbidden to it, so a new package needs a row here before it can use another one.
 */
const mayImport = {
  'packages/protocol': [],
  'packages/client': ['protocol'],
  'packages/home': ['protocol'],
  'packages/engine': ['protocol'],
  'packages/store': ['protocol', 'home', 'engine'],
  'packages/sandboxes': ['protocol', 'engine'],
  'packages/server': ['protocol', 'home', 'engine', 'store', 'sandboxes'],
  'apps/cli': ['protocol', 'client', 'home', 'server'],
  'apps/web': ['protocol', 'client'],
};

const direction = Object.entries(mayImport).map(([part, allowed]) => ({
  name: `direction-${part.replace('/', '-')}`,
  severity: 'error',
  comment: `${part} may import ${allowed.join(', ') || 'no other part'}`,
  from: { path: `^${part}/` },
  to: {
    path: '^(packages|apps)/',
    pathNot: [part, ...allowed.map((name) => `packages/${name}`)].map((p) => `^${p}/`),
  },
}));

module.exports = {
  forbidden: [
    ...direction,
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/', pathNot: '[.]test[.]tsx?$|[.]suite[.]ts$' },
      to: { path: '[.]test[.]tsx?$|[.]suite[.]ts$|/test/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};

import { sourceKinds } from '@executor/protocol';
import { type Command, Option } from 'commander';
import { agentClients } from '../agent-clients/clients.ts';
import type { Environment } from '../environment.ts';
import { collect, examples, json } from './help.ts';

const secretHelp = `
Credentials are never arguments, because other users of the machine can read those. FROM is - (standard input),
env:VAR or file:PATH. Without FROM the command asks at the terminal.`;

export function addSourceCommands(environment: Environment, program: Command): void {
  const sources = program
    .command('sources')
    .description('connect systems whose operations become tools')
    .addHelpText(
      'after',
      examples(
        'executor sources',
        'executor sources add https://api.example.com/openapi.json',
        'executor sources refresh example',
      ),
    );
  addShowing(environment, sources);
  addAdding(environment, sources);
  addCatalog(environment, sources);
  addImporting(environment, sources);
  addEditing(environment, sources);
  addRefreshing(environment, sources);
}

const showing = () => import('../commands/source/sources.ts');

function addShowing(environment: Environment, sources: Command): void {
  sources
    .command('ls', { isDefault: true })
    .description('list the sources, and those that are being connected')
    .addOption(json())
    .addHelpText('after', examples('executor sources ls', 'executor sources ls --json'))
    .action(async (options) => (await showing()).listSources(environment, options));
  sources
    .command('show <NS>')
    .description('show a source: settings, missing credentials, warnings and new tools')
    .addOption(json())
    .addHelpText('after', examples('executor sources show github'))
    .action(async (source, options) => (await showing()).showSource(environment, source, options));
}

function addAdding(environment: Environment, sources: Command): void {
  const add = sources
    .command('add')
    .argument(
      '<URL-OR-FILE-OR-NAME>',
      'the URL of a system or of its description, a file, or a name of the catalog; - reads a description from standard input; with --transport stdio: the program to start',
    )
    .argument('[ARGS...]', 'with --transport stdio: the arguments of the program')
    .description('connect a system and wait until its tools can be called')
    .option(
      '--namespace <NS>',
      'the first segment of the paths of its tools (default: derived from its name)',
    )
    .addOption(new Option('--kind <KIND>', 'the kind of source (default: detected)').choices(sourceKinds));
  addSettings(add)
    .addOption(json())
    .addHelpText('after', secretHelp)
    .addHelpText(
      'after',
      examples(
        'executor sources add https://petstore3.swagger.io/api/v3/openapi.json --namespace pets',
        'executor sources add github --bearer',
        'executor sources add ./openapi.yaml --base-url http://localhost:3000',
        'executor sources add https://api.example.com --bearer env:EXAMPLE_TOKEN',
        'executor sources add https://mcp.example.com/mcp --kind mcp',
        'executor sources add --transport stdio --namespace files -- npx -y @modelcontextprotocol/server-filesystem .',
      ),
    )
    .action(async (location, args, options) =>
      (await import('../commands/source/add-source.ts')).addSource(environment, [location, ...args], options),
    );
}

function addCatalog(environment: Environment, sources: Command): void {
  sources
    .command('catalog [QUERY]')
    .description('list well-known systems, which `executor sources add NAME` adds')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor sources catalog',
        'executor sources catalog payments',
        'executor sources add stripe',
      ),
    )
    .action(async (query, options) =>
      (await import('../commands/source/source-catalog.ts')).listProviders(environment, query, options),
    );
}

function addImporting(environment: Environment, sources: Command): void {
  sources
    .command('import')
    .description('add the MCP servers that agent programs on this machine have; their files are not changed')
    .addOption(
      new Option('--from <PROGRAM>', 'only those of one program').choices(agentClients.map(({ id }) => id)),
    )
    .option('--dry-run', 'only show what would be added')
    .option('-y, --yes', 'add all new ones without asking')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor sources import --dry-run',
        'executor sources import --from cursor',
        'executor sources import --yes --json',
      ),
    )
    .action(async (options) =>
      (await import('../commands/source/import-sources.ts')).importSources(environment, options),
    );
}

function addEditing(environment: Environment, sources: Command): void {
  const edit = sources
    .command('edit <NS>')
    .description('change the settings of a source or of its tools')
    .option('--namespace <NS>', 'rename the source; rules that name the old namespace are rewritten')
    .option('--yes', 'with --namespace: change the rules without asking')
    .option('--url <URL>', 'the URL of its document; it is read at once')
    .option('--document <FILE>', 'a new document; - reads it from standard input')
    .option('--no-auth', 'delete its credentials')
    .option(
      '--effect <PATH=EFFECT>',
      'the effect of a tool: read, write or destructive; may be repeated',
      collect,
    )
    .option(
      '--repeatable <PATH=BOOLEAN>',
      'whether a tool can safely be called twice; may be repeated',
      collect,
    )
    .option('--reset <PATH>', 'remove the edits of a tool; may be repeated', collect)
    .option('--accept-suggestions [PATHS]', 'accept the suggested effects of these tools, or of all')
    .option('--seen [PATHS]', 'mark these new tools, or all, as seen');
  addSettings(edit)
    .addOption(json())
    .addHelpText('after', secretHelp)
    .addHelpText(
      'after',
      examples(
        'executor sources edit github --bearer',
        'executor sources edit shop --effect shop.orders.search=read --base-url https://staging.example.com',
        'executor sources edit shop --seen',
        'executor sources edit shop --base-url none',
        'executor sources edit githubOctokitExtension --namespace github',
      ),
    )
    .action(async (source, options) =>
      (await import('../commands/source/edit-source.ts')).editSource(environment, source, options),
    );
}

const choices = (flags: string, meaning: string) => new Option(flags, meaning).choices(['auto', 'required']);

/** The options that `add` and `edit` share. */
function addSettings(command: Command): Command {
  return command
    .option('--name <NAME>', 'its display name')
    .addOption(
      new Option('--transport <TRANSPORT>', 'how an MCP server is reached (default: detected)').choices([
        'http',
        'sse',
        'stdio',
      ]),
    )
    .option(
      '--cwd <FOLDER>',
      'the folder that a program starts in; `add` sets the current folder by default; none sets the home folder',
    )
    .option(
      '--env <NAME[=FROM]>',
      'an environment variable of a program, secret; may be repeated; replaces all earlier ones; none removes them',
      collect,
    )
    .option('--base-url <URL>', 'send calls to this URL instead of the one in the document')
    .option(
      '--server-variable <NAME=VALUE>',
      'a variable of the server address; may be repeated; replaces all earlier ones; none removes them',
      collect,
    )
    .option(
      '--header <NAME:VALUE>',
      'a header sent with each call, not secret; may be repeated; replaces all earlier ones; none removes them',
      collect,
    )
    .option('--bearer [FROM]', 'a bearer token')
    .option('--bearer-env <VAR>', 'the same from an environment variable')
    .option('--basic [FROM]', 'a user name and password, as user:password')
    .option('--basic-env <VAR>', 'the same from an environment variable')
    .option('--api-key <LOCATION>', 'a key in header:NAME, query:NAME or cookie:NAME')
    .option('--api-key-from <FROM>', 'the source of that key')
    .option('--secret-header <NAME[=FROM]>', 'a secret header; may be repeated', collect)
    .option(
      '--scheme <NAME[=FROM]>',
      'the value of a security scheme of the document; may be repeated',
      collect,
    )
    .option(
      '--client-certificate <FILE>',
      'a client certificate as PEM, used in addition to the above; none removes it',
    )
    .option('--client-key <FILE>', 'its private key, if it is in another file')
    .option('--client-key-passphrase [FROM]', 'the passphrase of that key')
    .option(
      '--server-ca <FILE>',
      'certificate authorities to trust for this server, as PEM, instead of the default ones; `none` restores the default',
    )
    .addOption(choices('--approve-reads <WHEN>', 'whether reads need approval if no rule matches'))
    .addOption(choices('--approve-writes <WHEN>', 'whether writes need approval if no rule matches'))
    .option(
      '--allow-private-network',
      'allow calls to this machine and private networks if the document names them',
    )
    .option('--no-allow-private-network', 'do not allow them')
    .option('--allow-external-references [HOSTS]', 'follow references to these hosts, or to any host')
    .option('--no-allow-external-references', 'do not follow them')
    .option('--timeout <S>', 'the timeout of a call in seconds; none restores the default')
    .option(
      '--max-response <BYTES>',
      'the maximum size of a response, such as 50M; none restores the default',
    );
}

function addRefreshing(environment: Environment, sources: Command): void {
  sources
    .command('refresh <NS>')
    .description('read its document again and list new, changed and removed tools')
    .addOption(json())
    .addHelpText('after', examples('executor sources refresh github'))
    .action(async (source, options) =>
      (await import('../commands/source/refresh-source.ts')).refreshSource(environment, source, options),
    );
  sources
    .command('rm <NS>')
    .description('remove a source with its tools, settings and credentials')
    .option('-y, --yes', 'do not ask for confirmation; required in scripts')
    .addOption(json())
    .addHelpText('after', examples('executor sources rm github', 'executor sources rm github --yes --json'))
    .action(async (source, options) =>
      (await import('../commands/source/remove-source.ts')).removeSource(environment, source, options),
    );
  sources
    .command('logs <NS>')
    .description('print the latest lines that its program or server wrote')
    .addOption(json())
    .addHelpText('after', examples('executor sources logs files', 'executor sources logs files --json'))
    .action(async (source, options) =>
      (await import('../commands/source/source-logs.ts')).sourceLogs(environment, source, options),
    );
  sources
    .command('document <NS>')
    .description('print its document as Executor read it, or another of its files')
    .option('--file <NAME>', 'another of its files')
    .option('--files', 'list its files')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor sources document github > github.json',
        'executor sources document shop --files',
        'executor sources document shop --file schemas/order.yaml',
      ),
    )
    .action(async (source, options) =>
      (await import('../commands/source/source-document.ts')).sourceDocument(environment, source, options),
    );
}

import { type Command, Option } from 'commander';
import type { Environment } from '../environment.ts';
import { collect, examples, json } from './help.ts';

const secretHelp = `
Credentials are never arguments, which other users of the machine can read. FROM is - (standard input), env:VAR or
file:PATH; without it you are asked at the terminal.`;

export function addSourceCommands(environment: Environment, program: Command): void {
  const sources = program
    .command('sources')
    .description('connect systems, whose operations become tools')
    .addHelpText(
      'after',
      examples(
        'executor sources',
        'executor sources add https://api.example.com/openapi.json',
        'executor sources refresh example',
      ),
    );
  addLooking(environment, sources);
  addAdding(environment, sources);
  addEditing(environment, sources);
  addRest(environment, sources);
}

const look = () => import('../commands/sources.ts');

function addLooking(environment: Environment, sources: Command): void {
  sources
    .command('ls', { isDefault: true })
    .description('list the sources, and what is being connected right now')
    .addOption(json())
    .addHelpText('after', examples('executor sources ls', 'executor sources ls --json'))
    .action(async (options) => (await look()).listSources(environment, options));
  sources
    .command('show <NS>')
    .description('show all of a source: settings, credentials that are missing, warnings, what is new')
    .addOption(json())
    .addHelpText('after', examples('executor sources show github'))
    .action(async (source, options) => (await look()).showSource(environment, source, options));
}

function addAdding(environment: Environment, sources: Command): void {
  const add = sources
    .command('add')
    .argument(
      '<URL-OR-FILE>',
      'an OpenAPI document, or a page that leads to one; - reads it from standard input',
    )
    .description('connect a system; its tools can be called when this ends')
    .option('--namespace <NS>', 'what its tools begin with (default: made from its name)')
    .addOption(new Option('--kind <KIND>', 'what it is (default: found out)').choices(['openapi']));
  addSettings(add)
    .addOption(json())
    .addHelpText('after', secretHelp)
    .addHelpText(
      'after',
      examples(
        'executor sources add https://petstore3.swagger.io/api/v3/openapi.json --namespace pets',
        'executor sources add ./openapi.yaml --base-url http://localhost:3000',
        'executor sources add https://api.example.com --bearer env:EXAMPLE_TOKEN',
      ),
    )
    .action(async (place, options) =>
      (await import('../commands/add-source.ts')).addSource(environment, place, options),
    );
}

function addEditing(environment: Environment, sources: Command): void {
  const edit = sources
    .command('edit <NS>')
    .description('change the settings of a source, or what is known of its tools')
    .option('--namespace <NS>', 'rename the source; rules that name the old namespace are rewritten')
    .option('--yes', 'with --namespace: change the rules without asking')
    .option('--url <URL>', 'where its document is; it is read at once')
    .option('--document <FILE>', 'its document from now on; - reads it from standard input')
    .option('--no-auth', 'forget its credentials')
    .option(
      '--effect <PATH=EFFECT>',
      'what a tool does: read, write or destructive; may be repeated',
      collect,
    )
    .option(
      '--repeatable <PATH=BOOLEAN>',
      'whether calling it twice is as good as once; may be repeated',
      collect,
    )
    .option('--reset <PATH>', 'take back what was said of a tool; may be repeated', collect)
    .option(
      '--accept-suggestions [PATHS]',
      'believe that these tools, or all, do less than their method says',
    )
    .option('--seen [PATHS]', 'these new tools, or all, were looked at');
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
      (await import('../commands/edit-source.ts')).editSource(environment, source, options),
    );
}

const choices = (flags: string, meaning: string) => new Option(flags, meaning).choices(['auto', 'required']);

/** What `add` and `edit` have in common. */
function addSettings(command: Command): Command {
  return command
    .option('--name <NAME>', 'what people call it')
    .option('--base-url <URL>', 'where calls go, whatever the document says')
    .option(
      '--server-variable <NAME=VALUE>',
      'a variable of the server address; may be repeated; these replace those before, none takes them away',
      collect,
    )
    .option(
      '--header <NAME:VALUE>',
      'sent with each call, and not secret; may be repeated; these replace those before, none takes them away',
      collect,
    )
    .option('--bearer [FROM]', 'a bearer token')
    .option('--bearer-env <VAR>', 'the same from an environment variable')
    .option('--basic [FROM]', 'a user name and password, as user:password')
    .option('--basic-env <VAR>', 'the same from an environment variable')
    .option('--api-key <PLACE>', 'a key in header:NAME, query:NAME or cookie:NAME')
    .option('--api-key-from <FROM>', 'where that key is')
    .option('--secret-header <NAME[=FROM]>', 'a header that is secret; may be repeated', collect)
    .option(
      '--scheme <NAME[=FROM]>',
      'the value of a security scheme of the document; may be repeated',
      collect,
    )
    .option('--client-certificate <FILE>', 'a client certificate as PEM, shown beside the above; none: none')
    .option('--client-key <FILE>', 'its private key, where that is in another file')
    .option('--client-key-passphrase [FROM]', 'the passphrase of that key')
    .option(
      '--server-ca <FILE>',
      'whom to trust for the certificate of the server, as PEM, instead of those usually; none: those usually',
    )
    .addOption(choices('--approve-reads <WHEN>', 'whether reads need approval where no rule matches'))
    .addOption(choices('--approve-writes <WHEN>', 'whether writes need approval where no rule matches'))
    .option('--allow-private-network', 'let its document lead calls to this machine and private networks')
    .option('--no-allow-private-network', 'do not')
    .option('--allow-external-references [HOSTS]', 'follow references to these other hosts, or to any')
    .option('--no-allow-external-references', 'follow none')
    .option('--timeout <S>', 'how many seconds a call may take; none: as usual')
    .option('--max-response <BYTES>', 'how large an answer may be, such as 50M; none: as usual');
}

function addRest(environment: Environment, sources: Command): void {
  sources
    .command('refresh <NS>')
    .description('read its document again, and say what is new, changed and gone')
    .addOption(json())
    .addHelpText('after', examples('executor sources refresh github'))
    .action(async (source, options) =>
      (await import('../commands/refresh-source.ts')).refreshSource(environment, source, options),
    );
  sources
    .command('rm <NS>')
    .description('remove a source with its tools, settings and credentials')
    .option('-y, --yes', 'do not ask; needed where nobody can be asked')
    .addOption(json())
    .addHelpText('after', examples('executor sources rm github', 'executor sources rm github --yes --json'))
    .action(async (source, options) =>
      (await import('../commands/remove-source.ts')).removeSource(environment, source, options),
    );
  sources
    .command('document <NS>')
    .description('print its document, as it was read, or another of the files that it is made of')
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
      (await import('../commands/source-document.ts')).sourceDocument(environment, source, options),
    );
}

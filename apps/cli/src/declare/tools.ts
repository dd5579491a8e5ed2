import { type Command, Option } from 'commander';
import type { Environment } from '../environment.ts';
import { examples, json } from './help.ts';

export function addToolCommands(environment: Environment, program: Command): void {
  const tools = program
    .command('tools')
    .description('list, find, describe and call tools')
    .addHelpText(
      'after',
      examples(
        'executor tools search "add a source"',
        'executor tools ls executor',
        'executor tools describe executor.artifacts.put',
        `executor tools call executor.artifacts.put '{"text":"hello"}'`,
      ),
    );
  const run = () => import('../commands/tools.ts');
  tools
    .command('ls', { isDefault: true })
    .argument('[NS]', 'only tools of this source')
    .description('list the tools')
    .option('--filter <WORDS>', 'only tools with these words in their path or description')
    .addOption(
      new Option('--only <KIND>', 'only tools that are new, have a suggestion, or were edited').choices([
        'unseen',
        'suggested',
        'edited',
      ]),
    )
    .option('--limit <N>', 'the number of tools per source', '100')
    .addOption(json())
    .addHelpText('after', examples('executor tools ls', 'executor tools ls github --filter "create issue"'))
    .action(async (source, options) => (await run()).listTools(environment, source, options));
  tools
    .command('search')
    .argument('<QUERY...>', 'what you want to do, as a sentence or keywords')
    .description('find tools by what you want to do')
    .option('--limit <N>', 'the number of tools, at most 50', '10')
    .option('--namespace <NS>', 'only tools of this source')
    .option('--depth <N>', 'show signatures with this many levels of types')
    .option('--explain', 'show why each tool was found')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor tools search connect a system',
        'executor tools search "merge a pull request" --namespace github --explain',
      ),
    )
    .action(async (query, options) => (await run()).searchTools(environment, query, options));
  tools
    .command('describe <PATH>')
    .description('show what a tool does, its input and its result, as TypeScript')
    .option('--depth <N>', 'how many levels of types to show, at most 20')
    .option('--schemas', 'also show the JSON Schemas')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor tools describe executor.artifacts.read',
        'executor tools describe describe.tool --depth 3',
      ),
    )
    .action(async (path, options) => (await run()).describeTool(environment, path, options));
  tools
    .command('call')
    .argument('<PATH>', 'the tool')
    .argument(
      '[INPUT...]',
      'JSON, or field=value words typed by the schema; - reads JSON from standard input, @FILE from a file',
    )
    .description('call one tool and print its result as JSON')
    .addOption(new Option('--json', 'print the whole execution as JSON'))
    .option('--no-open', 'never offer to open the browser')
    .option('--timeout <S>', 'how many seconds to wait; the run continues after that (exit code 5)')
    .option('--idempotency-key <K>', 'a second call with this key returns the run of the first')
    .addHelpText(
      'after',
      examples(
        `executor tools call executor.artifacts.put '{"text":"hello"}'`,
        'executor tools call executor.artifacts.put text=hello',
        'executor tools call executor.policies.list',
        'executor tools call github.issues.create @issue.json',
      ),
    )
    .action(async (path, input, options) => (await run()).callTool(environment, path, input, options));
}

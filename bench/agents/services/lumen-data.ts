import type { Item, State } from './fake-service.ts';
import { cycle, day, numbers, person } from './people.ts';

export const states = ['backlog', 'todo', 'doing', 'review', 'done'];
export const priorities = ['none', 'low', 'medium', 'high', 'urgent'];

export function lumenData(): State {
  return {
    workspaces: [
      { id: 'wsp-1', name: 'Borealis', plan: 'free' },
      { id: 'wsp-2', name: 'Atlas', plan: 'business' },
    ],
    projects: numbers(9).map((number) => {
      const names: Record<number, string> = { 3: 'Website relaunch', 4: 'Mobile app', 5: 'Billing engine' };
      const name = names[number] ?? `Initiative ${number}`;
      return {
        id: `prj-${number}`,
        workspaceId: 'wsp-2',
        key: `P${number}`,
        name,
        leadId: `mem-${number}`,
        archived: false,
      };
    }),
    members: numbers(26).map((number) => {
      const { name, email } = person(number - 1);
      return { id: `mem-${number}`, workspaceId: 'wsp-2', displayName: name, email, role: 'member' };
    }),
    workItems: numbers(9).flatMap((number) =>
      numbers((({ 3: 40, 4: 33, 5: 74 } as Item)[number] as number) ?? 12).map((item) =>
        workItem(number, item),
      ),
    ),
    milestones: numbers(9).flatMap((number) =>
      ['Alpha', 'Beta', 'Gold'].map((name, index) => {
        return {
          id: `mst-${number}-${index + 1}`,
          projectId: `prj-${number}`,
          name,
          dueOn: day(330 + index * 20),
          closed: false,
        };
      }),
    ),
    comments: [],
    timeEntries: [],
  };
}

function workItem(inProject: number, number: number): Item {
  const states: Record<number, string> = {
    4: number % 5 === 3 && number < 30 ? 'review' : cycle(['todo', 'doing', 'done'], number),
    5: number % 2 === 0 ? 'review' : 'todo',
  };
  return {
    id: `itm-${inProject}-${number}`,
    number,
    projectId: `prj-${inProject}`,
    title: `${cycle(['Fix', 'Write', 'Test', 'Review'], number)} ${cycle(['the header', 'the checkout', 'the export', 'the login', 'the footer'], number)} (${number})`,
    state: states[inProject] ?? cycle(['backlog', 'todo', 'doing', 'done'], number),
    priority: cycle(priorities, number),
    assigneeId: number % 3 === 0 ? null : `mem-${(number % 25) + 1}`,
    labels: number % 4 === 0 ? ['frontend'] : [],
    dueOn: number % 2 === 0 ? day(300 + number) : null,
    estimate: (number % 5) + 1,
  };
}

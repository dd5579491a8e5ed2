/** What the engine calls the submitted code in stacks. */
export const codeFile = 'code.ts';

/** The kind of action that a request asks for, or that a tool does. */
export type Intent = 'read' | 'create' | 'update' | 'delete';

interface VerbFamily {
  intent?: Intent;
  /** Verbs with the same meaning, the most common first. */
  words: string;
}

/** Families of verbs with the same meaning. A verb may be in several families. */
export const verbFamilies: VerbFamily[] = [
  {
    intent: 'read',
    words:
      'get list show view fetch read retrieve see display browse enumerate return check obtain load inspect lookup',
  },
  {
    intent: 'read',
    words: 'find search lookup discover query locate seek explore hunt filter match suggest',
  },
  { words: 'all list every' },
  { intent: 'read', words: 'open read view load' },
  { intent: 'read', words: 'count total number many' },
  { intent: 'read', words: 'download export save fetch' },
  { intent: 'read', words: 'compare diff difference' },
  { intent: 'read', words: 'describe explain detail information info' },
  { intent: 'create', words: 'create add new make insert register generate build compose produce' },
  { intent: 'create', words: 'add append insert attach put include' },
  { intent: 'create', words: 'open create start raise' },
  { intent: 'create', words: 'save store keep bookmark add favorite' },
  { intent: 'create', words: 'write save create store draft add' },
  { intent: 'create', words: 'send post publish submit deliver write share' },
  { intent: 'create', words: 'upload import send' },
  { intent: 'create', words: 'invite add' },
  { intent: 'create', words: 'book reserve schedule' },
  { intent: 'create', words: 'buy purchase order checkout' },
  { intent: 'create', words: 'duplicate copy clone fork' },
  { intent: 'create', words: 'draw paint plot render chart visualize generate' },
  { intent: 'update', words: 'update change edit modify set alter adjust patch configure amend revise turn' },
  { intent: 'update', words: 'rename title change update edit' },
  { intent: 'update', words: 'replace overwrite set update' },
  { intent: 'update', words: 'move transfer relocate' },
  { intent: 'update', words: 'enable activate allow unblock turn' },
  { intent: 'update', words: 'disable deactivate turn suspend' },
  { intent: 'update', words: 'close resolve finish complete update' },
  { intent: 'update', words: 'reopen update' },
  { intent: 'update', words: 'lock freeze' },
  { intent: 'update', words: 'merge combine join unite concatenate' },
  { intent: 'update', words: 'approve accept confirm review' },
  { intent: 'update', words: 'reject decline refuse deny dismiss' },
  { intent: 'update', words: 'restore recover undelete unarchive' },
  { intent: 'update', words: 'archive hide' },
  { intent: 'update', words: 'star like favorite heart' },
  { intent: 'delete', words: 'delete remove drop erase clear destroy purge wipe discard trash' },
  { intent: 'delete', words: 'remove unassign detach revoke delete kick expel' },
  { intent: 'delete', words: 'cancel stop abort terminate end kill' },
  { intent: 'delete', words: 'unfollow unsubscribe unstar unlike leave' },
  { words: 'revoke invalidate expire' },
  { words: 'rotate renew regenerate refresh' },
  { words: 'start run launch trigger begin execute dispatch play resume invoke' },
  { words: 'rerun retry restart repeat again redo' },
  { words: 'pause suspend hold stop' },
  { words: 'skip next advance jump' },
  { words: 'convert transform translate turn export' },
  { words: 'calculate compute work evaluate estimate sum' },
  { words: 'verify validate check test confirm' },
  { words: 'analyze examine study review assess evaluate research investigate' },
  { words: 'recommend suggest advise propose' },
  { words: 'subscribe follow watch' },
  { words: 'unsubscribe unfollow unwatch ignore mute' },
  { words: 'login signin authenticate' },
  { words: 'logout signout' },
  { words: 'block ban' },
  { words: 'assign give allocate grant' },
  { words: 'link connect associate attach' },
  { words: 'unlink disconnect detach' },
  { words: 'push upload send' },
  { words: 'extract parse scrape pull' },
  { words: 'summarize digest condense' },
  { words: 'rate score rank grade' },
  { intent: 'create', words: 'reply respond answer' },
  { intent: 'create', words: 'comment annotate remark' },
  { intent: 'create', words: 'notify alert remind' },
  { words: 'track trace monitor watch' },
  { words: 'refund reimburse' },
  { words: 'charge bill pay' },
];

/** The kinds of actions of each HTTP method. */
export const methodIntents: Record<string, readonly Intent[]> = {
  GET: ['read'],
  HEAD: ['read'],
  OPTIONS: ['read'],
  POST: ['create'],
  PUT: ['update', 'create'],
  PATCH: ['update'],
  DELETE: ['delete'],
};

/** People and organisations. */
export const people = [
  'user account member person profile',
  'customer client buyer',
  'employee staff worker',
  'company business firm corporation organization enterprise',
  'team group squad',
  'current authenticated own',
  'owner creator author',
  'admin administrator',
  'contact person address_book',
  'friend follower following',
  'collaborator contributor member',
  'role permission access privilege right',
];

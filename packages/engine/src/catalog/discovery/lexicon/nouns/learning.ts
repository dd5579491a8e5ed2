/** Learning and health. */
export const learning = [
  'student pupil learner',
  'teacher instructor tutor',
  'course class lesson',
  'exam test quiz',
  'grade mark score',
  'school college university',
  'doctor physician',
  'homework study',
  'vocabulary word',
  'grammar language',
  'tutorial lesson course',
  'essay paper',
];

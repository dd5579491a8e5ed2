export function Mark() {
  return <img src="/favicon.svg" alt="" width="28" height="28" className="size-7" />;
}

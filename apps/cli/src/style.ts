import pc from 'picocolors';

/** Colours for output. They are always applied here; `Environment` removes them for a stream that shows no colours. */
export const style = pc.createColors(true);

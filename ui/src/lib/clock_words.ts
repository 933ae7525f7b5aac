/** Kinds and sources of evidence in plain words. No DOM. */

const kinds: Readonly<Record<string, string>> = {
  same_clock: 'the same clock', measured: 'measured', relayed: 'measured by messages', manifest: 'stated by a manifest', rendezvous: 'wall clocks of two machines', guessed: 'guessed',
};
const sources: Readonly<Record<string, string>> = {
  snapshot: 'clock snapshots', sync_marker: 'sync markers', task_switches: 'task switches in both recordings', messages: 'messages between machines', manifest: 'manifest',
  wall_clock: 'wall-clock time', start_time: 'start of the file', date: 'date of the recording', same_machine: 'same machine', guess: 'a guess',
};

/** Returns a word of the tables in plain words; one that is not known stays. */
export const words = (table: 'kind' | 'source', word: string): string => {
  const list = table === 'kind' ? kinds : sources;
  return Object.hasOwn(list, word) ? (list[word] ?? word) : word;
};

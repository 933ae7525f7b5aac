/** The list of import warnings, which the status bar counts. */
import type { JSX } from 'preact';
import { commonFolder, importWarnings } from '../lib/report';
import { current } from '../state/app';
import { panel } from '../state/panel';
import { go } from '../state/route';
import { currentReport } from '../state/status';
import { Dialog } from '../widgets/parts';
import { levels, StatItem } from './report_problems';

export function WarningsDialog(): JSX.Element | null {
  const report = currentReport.value;
  const trace = current.value;
  if (!report || !trace) return null;
  const close = (): void => void (panel.value = null);
  const folder = commonFolder(report.placements.map((p) => p.file));
  const groups = importWarnings(report);
  return (
    <Dialog title="Import warnings" onClose={close} wide testId="warnings">
      <div class="scroll table-scroll" tabIndex={0} role="region" aria-label="Import warnings">
        {levels.map(({ level, title, text }) => {
          const part = groups.filter((g) => g.level === level);
          if (part.length === 0) return null;
          return (
            <section key={level} aria-label={title}>
              <div class="panel-h"><h3>{title}</h3><small>{part.length}</small><small class="cut">{text}</small></div>
              <ul class="stats">{part.map((g) => <StatItem key={g.stat} group={g} folder={folder} />)}</ul>
            </section>
          );
        })}
      </div>
      <p class="actions"><button type="button" class="btn" onClick={() => {
        close();
        go('report', trace.trace);
      }}>Open the report</button></p>
    </Dialog>
  );
}

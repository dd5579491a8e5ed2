import { createRoot } from 'react-dom/client';
import './main.css';

createRoot(document.getElementById('root') as HTMLElement).render(<p>Executor</p>);

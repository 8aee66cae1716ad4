import { Stack } from '@mantine/core';
import { generatePath, Link, NavLink, useParams } from 'react-router';
import { serviceName } from '../components/ui/page.tsx';
import { navigationGroups, type Page, servicePages, workspacePages } from '../pages.ts';
import { useCurrentWorkspace, useRights } from '../session.tsx';
import { UserMenu, WorkspaceSwitcher } from './menus.tsx';
import classes from './sidebar.module.css';

export const Sidebar = () => (
  <Stack component="nav" aria-label="Main" className={classes.sidebar ?? ''} gap="md">
    <div className={classes.brand}>
      <Brand />
    </div>
    <WorkspaceSwitcher />
    <Navigation />
    <UserMenu />
  </Stack>
);

/** The logo and the name of the service, as a link to the start page. */
export const Brand = () => (
  <Link to="/" className={classes.home}>
    <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={24} height={24} />
    {serviceName}
  </Link>
);

/** Links to the pages that the user may see, by group. */
function Navigation() {
  const workspace = useCurrentWorkspace();
  // Takes the id from the address, so that the links do not move when the workspace has been read.
  const { workspaceId = workspace?.id } = useParams();
  const rights = useRights(workspace);
  const visiblePages = [...(workspaceId ? workspacePages : []), ...servicePages].filter(
    ({ visibleTo }) => rights[visibleTo],
  );
  return (
    <div className={classes.groups}>
      {navigationGroups.map((group) => {
        const pages = visiblePages.filter(({ navigation }) => navigation?.group === group);
        if (pages.length === 0) return null;
        return (
          <div key={group}>
            <p className={classes['group-title']}>{group}</p>
            <ul className={classes.group}>
              {pages.map((page) => (
                <li key={page.path}>
                  <PageLink page={page} workspaceId={workspaceId ?? ''} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}

function PageLink({ page, workspaceId }: { page: Page; workspaceId: string }) {
  const { path, title, navigation } = page;
  const Icon = navigation?.icon;
  // The address of the overview is a prefix of those of all other pages of the workspace, so its link needs an exact match.
  const isOverview = path === ':workspaceId';
  return (
    <NavLink
      to={`/${generatePath(path, { workspaceId })}`}
      end={isOverview}
      className={classes.link ?? ''}
    >
      {Icon && <Icon size={18} stroke={1.6} />}
      {title}
    </NavLink>
  );
}

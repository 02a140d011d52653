#!/bin/bash
# Sets up a server for Called It alone: Debian 12, Debian 13 or Ubuntu 24.04. As root, from a clone in /opt/called-it:
#   deploy/setup.sh play.example.com [--tls you@example.com]
# Postgres, Redis, nginx and Bun, with users, settings, certificate, units, backups and logs. deploy/machines.md has each step by hand.
#
# Decision: the settings in /etc are the truth, and each step makes the machine agree with them. So a second run changes nothing, and
# the same command takes a new release, a rotated password or a new address into use. Secrets are made here, are in files of mode 0600
# alone, and reach a program by its environment or a pipe: never by its arguments or a log.
#
# Decision: a file that an operator has changed keeps the change. What was written last is kept too, so the change and what a release
# changes are merged. And what runs is stopped only after the new settings were tried.
set -euo pipefail
umask 022
export LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
SETTINGS=/etc/called-it.env
OWNER_SETTINGS=/etc/called-it-owner.env
APPLIED=/etc/called-it.applied
RELEASES=/etc/called-it.releases
WRITTEN=/etc/called-it.written
CERTIFICATES=/etc/nginx/certificates
PACKAGES=(ca-certificates curl dbus logrotate nginx openssl postgresql redis-server unzip)
UNITS=(called-it-web@1 called-it-web@2 called-it-worker)
changed=" "

refuse() { echo "Refused: $*" >&2; exit 1; }
step() { echo "- $*"; }

# Writes what it reads into a file, if the file has something else: write MODE GROUP FILE. `changed` then has its name.
write() {
  local new
  new=$(mktemp)
  cat > "$new"
  if cmp -s "$new" "$3"; then rm "$new"; return; fi
  install --mode="$1" --group="$2" "$new" "$3"
  rm "$new"
  changed+="$3 "
  echo "  wrote $3"
}

# The same for a file that an operator may change. Changes of both are merged; where both have changed the same lines, the file stays.
put() {
  local base=$WRITTEN/${3//\//+} shipped merged
  shipped=$(mktemp)
  merged=$(mktemp)
  cat > "$shipped"
  if [[ ! -e $3 ]] || cmp -s "$3" "$shipped"; then
    cat "$shipped" > "$merged"
  elif [[ ! -e $base ]]; then
    # Written by a release that did not note it.
    cp --preserve "$3" "$3.before"
    echo "  the former $3 is $3.before: if you have changed it, change the new one too"
    cat "$shipped" > "$merged"
  elif diff3 -E -m "$3" "$base" "$shipped" > "$merged"; then
    cmp -s "$3" "$base" || echo "  kept your changes of $3"
  else
    echo "  kept $3 as you have changed it: this release changes the same lines. Yours (-) and its own (+), without secrets:"
    diff -u --label yours --label shipped "$3" "$shipped" | sed 's/ >[^ ]*/ >.../' || true
    echo "  Put both together in it. Or take the shipped one: rm $3 && called-it apply"
    rm "$shipped" "$merged"
    return
  fi
  write "$1" "$2" "$3" < "$merged"
  install --directory --mode=700 "$WRITTEN"
  cmp -s "$shipped" "$base" || install --mode=600 "$shipped" "$base"
  rm "$shipped" "$merged"
}

# The password in an address of the settings: password_in FILE SETTING.
password_in() { sed -nE "s#^$2=[a-z]+://[a-z_]*:([^@]*)@.*#\1#p" "$1"; }

new_secret() { openssl rand -hex 24; }

# A port may be open only if a program that this script installs may have it: require_port PORT UNIT ...
require_port() {
  if (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null && ! systemctl --quiet is-active "${@:2}"; then
    refuse "port $1 is taken by another program. End it, or use a machine for Called It alone. Nothing was changed."
  fi
}

# Settings of a machine that is set up another way are left alone: require_setting NAME PATTERN.
require_setting() {
  [[ ! -e $SETTINGS ]] || grep -qE "^$1=$2$" "$SETTINGS" ||
    refuse "$1 in $SETTINGS is not of a server that this script sets up. Follow \"By hand\" in deploy/machines.md. Nothing was changed."
}

can_sign_in() { PGPASSWORD=$2 psql --no-psqlrc -h 127.0.0.1 -U "$1" -d called_it -c "" > /dev/null 2>&1; }

check_machine() {
  [[ $# == 1 || ($# == 3 && $2 == --tls && $3 == ?*@?*) ]] && [[ $1 =~ ^[a-z0-9]([a-z0-9-]*\.)+[a-z0-9-]*[a-z]$ ]] ||
    refuse "give the name that people open, in lower case: deploy/setup.sh play.example.com"
  [[ $EUID == 0 ]] || refuse "run it as root: sudo deploy/setup.sh $1"
  [[ $PWD == /opt/called-it ]] || refuse "the units expect the program in /opt/called-it, and this is $PWD. Clone it to there."
  local system
  system=$(. /etc/os-release && echo "$ID ${VERSION_ID-}")
  case $system in
    "debian 12" | "debian 13" | "ubuntu 24.04") ;;
    *) refuse "this is $system, and the script knows Debian 12, Debian 13 and Ubuntu 24.04. Follow \"By hand\" in deploy/machines.md." ;;
  esac
  [[ -d /run/systemd/system ]] || refuse "systemd does not run here. Use compose.yaml in a container."
  case $(uname -m) in
    x86_64) cpu=x64; grep -qw avx2 /proc/cpuinfo || cpu=x64-baseline ;;
    aarch64) cpu=aarch64 ;;
    *) refuse "Bun exists for x86_64 and aarch64, and this is $(uname -m)." ;;
  esac
  if [[ -e $SETTINGS ]] && ! grep -qx "PUBLIC_URL=https://$1" "$SETTINGS"; then
    refuse "PUBLIC_URL in $SETTINGS is not https://$1. Change it there, then run: called-it apply"
  fi
  require_setting DATABASE_URL "postgres://called_it:[^@]+@127.0.0.1:5432/called_it"
  require_setting REDIS_URL "redis://called_it:[^@]+@127.0.0.1:6379/0"
  require_port 80 nginx; require_port 443 nginx; require_port 3000 "${UNITS[@]}"
  require_port 5432 postgresql; require_port 6379 redis-server
}

install_packages() {
  local missing=() each
  for each in "${PACKAGES[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$each" 2> /dev/null) == installed ]] || missing+=("$each")
  done
  ((${#missing[@]})) || return 0
  echo "  installing ${missing[*]}"
  apt-get -qq update
  apt-get -qq -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold install --yes --no-install-recommends "${missing[@]}" > /dev/null
}

install_bun() {
  local version folder from
  version=$(sed -nE 's/.*"bun": ">=(.*)".*/\1/p' package.json)
  [[ $(/usr/local/bin/bun --version 2> /dev/null) != "$version" ]] || return 0
  echo "  installing Bun $version"
  folder=$(mktemp -d)
  from=https://github.com/oven-sh/bun/releases/download/bun-v$version
  curl -fsSL --output-dir "$folder" -O "$from/bun-linux-$cpu.zip" -O "$from/SHASUMS256.txt"
  (cd "$folder" && sha256sum --quiet --strict --ignore-missing --check SHASUMS256.txt && unzip -q "bun-linux-$cpu.zip")
  install --mode=755 "$folder/bun-linux-$cpu/bun" /usr/local/bin/bun
  rm -r "$folder"
}

write_settings() {
  [[ ! -e $SETTINGS ]] || return 0
  write 600 root "$OWNER_SETTINGS" << OWNER
# For migrations and backups alone: the owner of the tables, and the name of the role that serves.
DATABASE_URL=postgres://called_it@127.0.0.1:5432/called_it
MIGRATE_DATABASE_URL=postgres://called_it_owner:$(new_secret)@127.0.0.1:5432/called_it
OWNER
  write 600 root "$SETTINGS" << SERVING
# deploy/settings.md lists all settings. After a change: called-it apply
PUBLIC_URL=https://$1
# Without it no mail is sent: smtp://user:password@mail.example.com:587
SMTP_URL=${SMTP_URL-}
SECRET_KEY=$(openssl rand -base64 48)
DATABASE_URL=postgres://called_it:$(new_secret)@127.0.0.1:5432/called_it
REDIS_URL=redis://called_it:$(new_secret)@127.0.0.1:6379/0
DATA_DIR=/var/lib/called-it
TRUSTED_PROXIES=127.0.0.1
WEB_CONCURRENCY=2
SERVING
}

# postgresql.service counts as active although its cluster is down.
start_cluster() {
  local cluster log
  read -r cluster log < <(pg_lsclusters --no-header | awk '$3 == 5432 && $4 !~ /^online/ { print $1 "-" $2, $7 }') || return 0
  echo "  starting Postgres, whose cluster $cluster is down"
  systemctl start "postgresql@$cluster" && return
  tail --lines=5 "$log" >&2
  refuse "Postgres does not start, see above. No process of Called It was stopped. Correct it, then: called-it apply"
}

prepare_postgres() {
  local serving owner
  serving=$(password_in "$SETTINGS" DATABASE_URL)
  owner=$(password_in "$OWNER_SETTINGS" MIGRATE_DATABASE_URL)
  start_cluster
  if can_sign_in called_it "$serving" && can_sign_in called_it_owner "$owner"; then return; fi
  echo "  creating the database, or giving its roles the passwords of the settings"
  POSTGRES_PASSWORD=$owner APPLICATION_PASSWORD=$serving \
    runuser -u postgres -- psql --quiet --no-psqlrc -v ON_ERROR_STOP=1 < deploy/postgres/roles.sql
}

prepare_redis() {
  local text admin
  text=$(< deploy/redis/called-it.conf)
  admin=$(sed -n 's/^user admin on >\([^ ]*\) .*/\1/p' /etc/redis/called-it.conf 2> /dev/null || true)
  text=${text//ADMIN_SECRET/"${admin:-$(new_secret)}"}
  put 640 redis /etc/redis/called-it.conf <<< "${text//PASSWORD/"$(password_in "$SETTINGS" REDIS_URL)"}"
  if ! grep -qx "include /etc/redis/called-it.conf" /etc/redis/redis.conf; then
    echo "include /etc/redis/called-it.conf" >> /etc/redis/redis.conf
    changed+="/etc/redis/called-it.conf "
  fi
  [[ $changed != *" /etc/redis/called-it.conf "* ]] || systemctl restart redis-server
}

prepare_nginx() {
  install --directory --mode=700 "$CERTIFICATES"
  if [[ ! -e $CERTIFICATES/called-it.pem ]]; then
    echo "  making a certificate that signs itself, until you have one"
    (umask 077 && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj "/CN=$1" \
      -addext "subjectAltName=DNS:$1" -keyout "$CERTIFICATES/called-it.key" -out "$CERTIFICATES/called-it.pem" 2> /dev/null)
  fi
  # Debian's welcome page answers whoever comes by an address.
  if [[ -L /etc/nginx/sites-enabled/default ]]; then rm /etc/nginx/sites-enabled/default; changed+="/etc/nginx "; fi
  local without_ipv6="s/^//"
  [[ -e /proc/net/if_inet6 ]] || without_ipv6='/listen \[::\]/d'
  put 644 root /etc/nginx/conf.d/upstream.conf < deploy/nginx/upstream.conf
  put 644 root /etc/nginx/conf.d/called-it.conf < <(sed -e "s/called-it\.example/$1/" -e "$without_ipv6" deploy/nginx/called-it.conf)
  if [[ $changed == *" /etc/nginx"* ]]; then nginx -q -t && systemctl reload-or-restart nginx; fi
}

# certbot shows by a file that the name is this machine's, and renews the certificate by its timer: get_certificate NAME EMAIL.
get_certificate() {
  [[ ! -e /etc/letsencrypt/live/$1/fullchain.pem ]] || return 0
  PACKAGES=(certbot)
  install_packages
  certbot certonly --quiet --non-interactive --agree-tos --email "$2" --webroot --webroot-path /var/www/html --domain "$1" \
    --deploy-hook 'called-it certificate "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem"' ||
    refuse "there is no certificate yet, see above: https://$1 has the former one. Does $1 lead here, with port 80 open? Then: called-it tls $2"
}

install_units() {
  local each
  install --directory --mode=700 /var/backups/called-it
  for each in deploy/systemd/*.{service,timer}; do put 644 root "/etc/systemd/system/${each##*/}" < "$each"; done
  put 644 root /etc/sysctl.d/called-it.conf < deploy/systemd/sysctl.conf
  install --directory /etc/systemd/journald.conf.d
  put 644 root /etc/systemd/journald.conf.d/called-it.conf < deploy/systemd/journald.conf
  [[ $changed != *" /etc/systemd/system/"* ]] || systemctl daemon-reload
  [[ $changed != *sysctl.d* ]] || /lib/systemd/systemd-sysctl /etc/sysctl.d/called-it.conf
  [[ $changed != *journald* ]] || systemctl restart systemd-journald
  [[ $(readlink /usr/local/bin/called-it) == /opt/called-it/deploy/called-it ]] ||
    ln -sfn /opt/called-it/deploy/called-it /usr/local/bin/called-it
}

# What runs: the program, its settings and its units, as one checksum.
describe_release() {
  find bun.lock package.json client db jobs src "$SETTINGS" "$OWNER_SETTINGS" /etc/systemd/system -type f \
    \( -path '/etc/systemd/system/called-it-*' -o -not -path '/etc/systemd/*' \) -print0 |
    sort -z | xargs -0 sha256sum | sha256sum
}

is_applied() { [[ $(describe_release) == "$(cat "$APPLIED" 2> /dev/null)" ]]; }

# Before anything of the machine is changed that a running process needs.
prepare_program() {
  id called-it > /dev/null 2>&1 || useradd --system --home-dir /var/lib/called-it --shell /usr/sbin/nologin called-it
  ! is_applied || return 0
  echo "  installing packages, and building"
  # It trusts the certificates that this machine trusts, as curl does.
  NODE_USE_SYSTEM_CA=1 /usr/local/bin/bun install --frozen-lockfile --production > /dev/null
  /usr/local/bin/bun run --silent build > /dev/null
  # A clone may have been made with a closed umask.
  chmod go+rx,go-w .
  chmod -R go+rX,go-w package.json bunfig.toml tsconfig.json client db jobs src node_modules dist
  deploy/called-it doctor --settings ||
    refuse "the settings are wrong, see above. What runs goes on as it was. Correct $SETTINGS, then: called-it apply"
}

# The commits that were applied, for the way back.
note_release() {
  local commit
  commit=$(git rev-parse HEAD 2> /dev/null) || return 0
  [[ $(tail --lines=1 "$RELEASES" 2> /dev/null) == "$commit" ]] || (umask 077 && echo "$commit" >> "$RELEASES")
}

start_release() {
  if ! is_applied; then
    echo "  migrating, trying the settings, and (re)starting one process after the other"
    deploy/called-it migrate
    deploy/called-it doctor ||
      refuse "a start would not work, see above. No process was restarted. Correct it, then: called-it apply"
    systemctl enable --quiet "${UNITS[@]}" called-it-backup.timer
    deploy/called-it restart
    describe_release | write 600 root "$APPLIED"
  fi
  note_release
  systemctl start "${UNITS[@]}" called-it-backup.timer
}

# tests/deploy takes its functions from here.
[[ ${BASH_SOURCE[0]} == "$0" ]] || return 0

cd "$(dirname "$0")/.."
check_machine "$@"
step "Packages"; install_packages
step "Bun"; install_bun
step "Settings"; write_settings "$1"
step "Program"; prepare_program
step "Postgres"; prepare_postgres
step "Redis"; prepare_redis
step "Units, backups and logs"; install_units
step "Release"; start_release
step "nginx"; prepare_nginx "$1"
[[ $# == 1 ]] || { step "Certificate"; get_certificate "$1" "$3"; }
step "Look whether it serves"
for host in 127.0.0.1 "[::1]"; do
  [[ $host == 127.0.0.1 || -e /proc/net/if_inet6 ]] || continue
  curl -fsS --insecure --max-time 10 --retry 5 --retry-all-errors --resolve "$1:443:$host" "https://$1/ready" > /dev/null
  echo "  https://$1 answers at $host"
done
echo "Ready. The first admin: called-it admin you@example.com. Then deploy/machines.md, \"After the set-up\"."
